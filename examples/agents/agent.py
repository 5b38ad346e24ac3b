"""An agent in 20 lines: askback chat --agent "process:python3 examples/agents/agent.py" """
import json, sys

def send(type, **fields):
    print(json.dumps({"type": type, **fields}), flush=True)

def ask(type, **fields):  # waits for the person; a rejection ends the turn
    send(type, id="1", **fields)
    reply = json.loads(sys.stdin.readline())
    return reply["response"] if reply["status"] == "answered" else None

def turn(text):
    send("text_delta", text=f"You said: {text}\n")
    if ask("input_request", prompt="Shall I make a plan?", choices=["Yes", "No"]) and \
       (size := ask("input_request", prompt="How large?", input_type="choice", choices=["small", "large"])) and \
       (name := ask("input_request", prompt="What is it called?", input_type="text")) and \
       (form := ask("ask_user", questions=[{"type": "date", "message": "Ship on?"}, {"type": "confirm", "message": "Tell the team?"}])):
        day, tell = (answer.get("customInput") or answer["selectedOptions"][0] for answer in form["answers"])
        send("text_delta", text=f"The plan: {name}, {size['value']}, shipped on {day}. Team told: {tell}.")

for line in sys.stdin:
    if (message := json.loads(line))["type"] == "user":
        turn(message["text"])
        send("done")
