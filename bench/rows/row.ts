import type { Figure } from '../figure.ts';
import type { Lab } from '../lab.ts';

/** Measures that belong together: they are made in one go. `Place` is where they are made. */
export interface Row<Place = Lab> {
  /** Measured only where `--only` names it; default false. */
  byHand?: boolean;
  /** Programs that it needs; the row is left out if one is not installed. */
  programs?: readonly string[];
  figures: readonly string[];
  /** Every figure of `figures`; `note` receives other observations. */
  measure(place: Place, note: (line: string) => void): Promise<Record<string, Figure>>;
}
