// Tabs of one browser don't tell each other what they hold: each is told by the hub, and proposes in its own name. In the place of
// `lib0/broadcastchannel`, which y-websocket brings and is told not to use.

export function subscribe(): void {}

export function unsubscribe(): void {}

export function publish(): void {}
