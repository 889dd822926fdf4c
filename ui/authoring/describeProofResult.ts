import type { InvariantProof } from '../../src/contract/schema/workflow/invariantProof.ts';

/** The workflow breaks the rule, or could never end under it. */
export const isBrokenInvariant = ({ result }: Pick<InvariantProof, 'result'>): boolean =>
  result === 'counterexample' || result === 'prevents-completion';

export function describeProofResult({ result, by }: Pick<InvariantProof, 'result' | 'by'>): string {
  switch (result) {
    case 'proved':
      return by === 'guard'
        ? 'Proved: svc refuses every violation.'
        : 'Proved: the workflow cannot violate it.';
    case 'counterexample':
      return 'Counterexample: the workflow can violate it.';
    case 'prevents-completion':
      return 'Prevents completion: no job could complete under it.';
    case 'unreachable':
      return 'Unreachable: no phase can do what it forbids.';
    case 'too-large':
      return 'Not decided: the workflow is too large for it.';
  }
}
