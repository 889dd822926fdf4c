import type { ProposalWarningKind } from '../../../shared/agents/proposals.ts';

/** A warning before it has its id. */
export type FoundWarning = [kind: ProposalWarningKind, says: string];
