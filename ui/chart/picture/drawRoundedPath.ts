export interface Point {
  x: number;
  y: number;
}

const measureDistance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** The point that lies `length` from `from` on the way to `to`. */
const movePoint = (from: Point, to: Point, length: number): Point => {
  const whole = measureDistance(from, to) || 1;
  return {
    x: from.x + ((to.x - from.x) * length) / whole,
    y: from.y + ((to.y - from.y) * length) / whole,
  };
};

const formatPoint = ({ x, y }: Point): string =>
  `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;

/** A line through the points as SVG path data, its corners rounded by at most `radius` pixels. */
export function drawRoundedPath(points: readonly Point[], radius: number): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const parts = [`M${formatPoint(first)}`];
  for (const [index, corner] of rest.entries()) {
    const before = points[index];
    const after = rest[index + 1];
    if (!before || !after) {
      parts.push(`L${formatPoint(corner)}`);
      continue;
    }
    // Half of the shorter side at most: the next corner needs the other half.
    const round = Math.min(
      radius,
      measureDistance(before, corner) / 2,
      measureDistance(corner, after) / 2,
    );
    parts.push(
      `L${formatPoint(movePoint(corner, before, round))}`,
      `Q${formatPoint(corner)} ${formatPoint(movePoint(corner, after, round))}`,
    );
  }
  return parts.join('');
}

/** Length of an arrow's head, and half of its width, pixels. */
const HEAD = 9;
const HALF = 4.5;

/** An arrow head as SVG path data, its tip at the last point; empty where there is no line. */
export function drawArrowHead(points: readonly Point[]): string {
  const tip = points.at(-1);
  const before = points.findLast((point) => tip !== undefined && measureDistance(point, tip) > 0);
  if (!tip || !before) return '';
  const foot = movePoint(tip, before, HEAD);
  const [across, down] = [((tip.y - foot.y) / HEAD) * HALF, ((foot.x - tip.x) / HEAD) * HALF];
  const [left, right] = [
    { x: foot.x + across, y: foot.y + down },
    { x: foot.x - across, y: foot.y - down },
  ];
  return `M${formatPoint(left)}L${formatPoint(tip)}L${formatPoint(right)}Z`;
}
