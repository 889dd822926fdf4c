export interface Figure {
  value: number;
  unit: string;
  /**
   * Relative to the base that was measured in the same minutes (B, bare Koa, `node -e 0`); null =
   * the target is for the value itself.
   */
  ratio: number | null;
  /** For the ratio where there is one, else for the value. */
  target: number;
  /** null = reported, not checked: a time without a base says more about the machine. */
  ok: boolean | null;
}

/** Units of times and rates; sizes are the same on every machine. */
const TIMES: ReadonlySet<string> = new Set(['s', 'ms', 'us', 'µs', '/s']);

interface MeasuredFigure {
  value: number;
  unit: string;
  ratio?: number;
  target: number;
  /** A time that has a target without a ratio; default: none has. */
  promised?: true;
}

const figure = (
  { value, unit, ratio = Number.NaN, target, promised }: MeasuredFigure,
  meets: (measured: number) => boolean,
): Figure => {
  const relative = !Number.isNaN(ratio);
  return {
    value: rounded(value),
    unit,
    ratio: relative ? rounded(ratio) : null,
    target,
    ok: judged(relative ? ratio : value, relative || promised === true || !TIMES.has(unit), meets),
  };
};

const judged = (
  measured: number,
  isMeasured: boolean,
  meets: (measured: number) => boolean,
): boolean | null => (isMeasured || Number.isNaN(measured) ? meets(measured) : null);

const rounded = (value: number): number =>
  Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));

export const atLeast = (measured: MeasuredFigure): Figure =>
  figure(measured, (value) => value >= measured.target);

export const under = (measured: MeasuredFigure): Figure =>
  figure(measured, (value) => value < measured.target);

export function formatFigure(name: string, { value, unit, ratio, target, ok }: Figure): string {
  const amount = `${value} ${unit}`.padStart(14);
  const relative = ratio === null ? '' : `${ratio} x`;
  const targetText = `target ${target}${ratio === null ? ` ${unit}` : ' x'}`;
  const verdict = ok === null ? 'reported' : ok ? 'ok' : 'MISSED';
  return `${name.padEnd(18)}${amount}  ${relative.padStart(8)}  ${targetText.padEnd(18)} ${verdict}`;
}
