// The few bytes of y-websocket's protocol that are read and written here: lib0's numbers, seven bits in each byte, the lowest first.

/** Bytes that are being read; a decoder of lib0, which y-websocket hands to its handlers, is one. */
export interface ByteReader {
  arr: Uint8Array;
  pos: number;
}

/** Reads a number; the eighth bit of a byte says that more follow. */
export function readVarUint(reader: ByteReader): number {
  let number = 0;
  for (let factor = 1; factor <= Number.MAX_SAFE_INTEGER; factor *= 128) {
    const byte = reader.arr[reader.pos];
    if (byte === undefined) break;
    reader.pos += 1;
    number += (byte & 127) * factor;
    if (byte < 128) return number;
  }
  throw new Error("a number in a message can't be read");
}

/** The message of y-websocket that tells of an update: a sync message, of the kind update, with its length. */
export function updateMessage(update: Uint8Array): Uint8Array {
  const [SYNC, UPDATE] = [0, 2];
  const head = [SYNC, UPDATE];
  let length = update.length;
  for (; length > 127; length = Math.floor(length / 128)) head.push((length % 128) + 128);
  head.push(length);
  const message = new Uint8Array(head.length + update.length);
  message.set(head);
  message.set(update, head.length);
  return message;
}
