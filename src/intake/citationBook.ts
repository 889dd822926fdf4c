import type { RowChange } from '../contract/records/changes.ts';
import type { Citation } from '../contract/schema/planning/evidence.ts';
import type { ChatStore } from './chatStore.ts';
import { findReferences } from './citations/findReferences.ts';
import { parseStoredJson, type InvestigationRow } from './investigationRows.ts';
import type { IntakeParts } from './intakeParts.ts';
import { createPinScope } from './createPinScope.ts';
import type { Tables } from '../contract/records/tables.ts';
import type { SeenLines } from './citations/checkCitedLines.ts';

type EvidenceRow = Tables['investigation_evidence'];

/** Lines of a repository's files that look-ups showed at a commit. */
const collectSeenLines = (
  rows: readonly EvidenceRow[],
  repo: string,
  commit: string,
): SeenLines[] =>
  rows.flatMap((row) =>
    row.ok === 1 && row.path !== null && row.repo === repo && row.commit_sha === commit
      ? [{ evidence: `E${row.n}`, path: row.path, fromLine: row.from_line, toLine: row.to_line }]
      : [],
  );

/** The latest verdicts on what the findings of a conversation cite. */
export class CitationBook {
  readonly #store: ChatStore;
  readonly #parts: Pick<IntakeParts, 'citations'>;

  constructor(store: ChatStore, parts: Pick<IntakeParts, 'citations'>) {
    this.#store = store;
    this.#parts = parts;
  }

  /** Verdicts on these places, without changing those of the findings. */
  async of(row: InvestigationRow, refs: readonly string[]): Promise<Citation[]> {
    const evidence = this.#store.evidence(row.id);
    return this.#parts.citations(
      {
        ...createPinScope(this.#store, row, () =>
          this.#store.turns(row.id).map(({ message }) => message),
        ),
        listSeen: ({ slug, commit }) => collectSeenLines(evidence, slug, commit),
      },
      refs,
    );
  }

  /** Checks what the findings cite, and stores the verdicts. */
  async check(row: InvestigationRow, now: number): Promise<Citation[]> {
    const refs = findReferences(row.findings ?? '').map(({ ref }) => ref);
    const citations = refs.length === 0 ? [] : await this.of(row, refs);
    const citedEvidence = new Set(citations.map(({ evidence }) => evidence));
    const investigation = row.id;
    const marks = this.#store.evidence(investigation).flatMap(({ n, cited: was }): RowChange[] => {
      const is = citedEvidence.has(`E${n}`) ? 1 : 0;
      if (is === was) return [];
      const key = { investigation, n };
      return [{ op: 'patch', table: 'investigation_evidence', key, set: { cited: is } }];
    });
    await this.#store.write([
      { op: 'drop', table: 'investigation_citations', key: { investigation } },
      ...citations.map(
        (citation): RowChange => ({
          op: 'put',
          table: 'investigation_citations',
          row: {
            investigation,
            ref: citation.ref,
            citation: JSON.stringify(citation),
            checked_at: now,
          },
        }),
      ),
      ...marks,
    ]);
    return citations;
  }

  paths(investigation: string): string[] {
    const citations = this.#store.rows
      .all('investigation_citations', { investigation })
      .map(({ citation }) => parseStoredJson<Citation>(citation));
    return [...new Set(citations.map(({ path }) => path))];
  }
}
