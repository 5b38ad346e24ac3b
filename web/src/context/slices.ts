// Work in slices: no task of the page is longer than a slice and one step, however much there is to draw.

import { SLICE_MS, WEIGHT_OF_SLICE } from "./limits";

/** Work as steps, each of which is bounded by a limit of its own. A step gives the weight of what it drew: laying that out takes time, too. */
export type Steps = Generator<number | undefined, void>;

interface Work {
  steps: Steps;
  order: number;
}

/** What is left to do, in its order. All contexts share it: fifty of them must not have a slice each in one task. */
const left: Work[] = [];

let sliceEnds = 0;
let weightLeft = 0;
let isRunning = false;
let isScheduled = false;

/**
 * Does the work of a lower `order` first; the first slice at once, so that what fits into it is there before anything is
 * painted. Gives back what stops it.
 */
export function inSlices(steps: Steps, order: number): () => void {
  const work = { steps, order };
  const at = left.findIndex((other) => other.order > order);
  left.splice(at < 0 ? left.length : at, 0, work);
  if (!isRunning) {
    // Whatever comes in the same task shares its slice.
    if (!isScheduled) begin();
    run();
  }
  return () => remove(work);
}

function begin(): void {
  sliceEnds = performance.now() + SLICE_MS;
  weightLeft = WEIGHT_OF_SLICE;
}

function run(): void {
  isRunning = true;
  try {
    for (let work = left[0]; work && weightLeft > 0 && performance.now() < sliceEnds; work = left[0]) step(work);
  } finally {
    isRunning = false;
    // Also if nothing is left: what comes until then is in the same task, perhaps.
    if (!isScheduled) {
      isScheduled = true;
      afterFrame(() => {
        isScheduled = false;
        if (left.length === 0) return;
        begin();
        run();
      });
    }
  }
}

function step(work: Work): void {
  let isDone = true;
  try {
    const { done, value } = work.steps.next();
    isDone = done === true;
    weightLeft -= value ?? 0;
  } finally {
    // Also if it failed: what comes after it is drawn all the same.
    if (isDone) remove(work);
  }
}

function remove(work: Work): void {
  const at = left.indexOf(work);
  if (at >= 0) left.splice(at, 1);
}

/** How long the next slice waits for a frame, in milliseconds: a window that is not seen draws none. */
const LONGEST_WAIT_MS = 50;

/** Calls back in a task of its own, once what was drawn is laid out. */
function afterFrame(call: () => void): void {
  let isCalled = false;
  const once = () => {
    if (!isCalled) call();
    isCalled = true;
  };
  requestAnimationFrame(() => setTimeout(once, 0));
  setTimeout(once, LONGEST_WAIT_MS);
}
