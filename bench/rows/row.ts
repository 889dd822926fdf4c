import type { Figure } from '../figure.ts';
import type { Lab } from '../lab.ts';

/** Measures that belong together: they are made in one go. */
export interface Row {
  /** Names of its figures. */
  figures: readonly string[];
  /** Every figure of `figures`; `note` is told what else was seen. */
  measure(lab: Lab, note: (line: string) => void): Promise<Record<string, Figure>>;
}
