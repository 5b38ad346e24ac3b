// The part of the window that is on the screen: after a pinch zoom, it is smaller than the window.

/** Its edges, in the coordinates of `getBoundingClientRect`. */
export function screenEdges(): { left: number; top: number; right: number; bottom: number } {
  const { offsetLeft: left, offsetTop: top, width, height } = window.visualViewport ?? {
    offsetLeft: 0,
    offsetTop: 0,
    width: window.innerWidth,
    height: window.innerHeight,
  };
  return { left, top, right: left + width, bottom: top + height };
}

/** Whether the middle of a rectangle is on the screen. */
export function isOnScreen({ left, top, width, height }: DOMRectReadOnly): boolean {
  const edges = screenEdges();
  const [x, y] = [left + width / 2, top + height / 2];
  return x >= edges.left && x <= edges.right && y >= edges.top && y <= edges.bottom;
}
