import type { ProposalWarningKind } from '../../../base/agents/proposals.ts';

/** A warning before it has its id. */
export type FoundWarning = [kind: ProposalWarningKind, says: string];
