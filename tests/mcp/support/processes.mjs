// Other processes: whether they are there, what they hold, and the end of them.

import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { until } from "../../../clients/typescript/live/hub.mjs";

/** Whether a process is there. One that has ended and was not asked how is not. */
export function isAlive(pid) {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

export const gone = (pid) => until(`process ${pid} ends`, () => !isAlive(pid));

/** Kills a process, and waits until it is no more. */
export async function kill(pid) {
  process.kill(pid, "SIGKILL");
  await gone(pid);
}

/** Memory of a process in MB. */
export const memory = (pid) => Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+) kB/)[1]) / 1024;

/** How many sockets a process has open. */
export function sockets(pid) {
  const names = readdirSync(`/proc/${pid}/fd`);
  return names.filter((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`).startsWith("socket:");
    } catch {
      return false;
    }
  }).length;
}
