import type { Citation, CitationVerdict } from '../../../src/contract/schema/planning/evidence.ts';

export const VERDICTS: Readonly<Record<CitationVerdict, readonly [string, string]>> = {
  seen: ['seen', 'A look-up in this chat returned these lines.'],
  exists: ['exists', 'The lines exist, but no look-up returned them.'],
  moved: ['changed', 'The newest commit changes these lines.'],
  missing: ['missing', 'These lines do not exist in the repository.'],
  new: ['new', 'The file does not exist yet.'],
};

/** Gives the citations within an element their verdicts; only attributes change. */
export function paintVerdicts(root: ParentNode, verdicts: ReadonlyMap<string, Citation>): void {
  for (const chip of root.querySelectorAll<HTMLElement>('button.cite')) {
    const ref = chip.dataset['ref'] ?? '';
    const verdict = verdicts.get(ref);
    const [word, sentence] = verdict ? VERDICTS[verdict.verdict] : ['', 'Not checked yet.'];
    if (chip.dataset['verdict'] === word && chip.title === sentence) continue;
    chip.dataset['verdict'] = word;
    chip.title = sentence;
    if (word !== '') chip.setAttribute('aria-label', `${ref}, ${word}`);
  }
}
