import type { EvidenceRow } from './investigationRows.ts';

/** Ids of the look-ups that the findings cite. */
export const listCitedEvidence = (evidence: readonly EvidenceRow[]): ReadonlySet<string> =>
  new Set(evidence.flatMap(({ n, cited }) => (cited === 1 ? [`E${n}`] : [])));
