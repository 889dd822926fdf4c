import type { ProposalKind, ProposalLayer, ProposalState } from '../../base/agents/proposals.ts';

/** Changes of workflows, agents, skills and memory that were proposed; a part of `Tables`. */
export interface ProposalTables {
  proposals: {
    id: string;
    /** The job whose agent has proposed it; null = a person has. */
    job_id: string | null;
    phase: string | null;
    kind: ProposalKind;
    layer: ProposalLayer;
    /** Of the repo layer: slug and provider of the repository. */
    repo: string | null;
    provider: string | null;
    description: string;
    /** JSON of `ProposedFile[]`: path, the text that it was proposed for, the proposed one. */
    content: string;
    /** sha256 of kind, layer, repository and content; an approval is for exactly this. */
    hash: string;
    /** Epoch ms. */
    at: number;
    /** State of its chart, and since when. */
    state: ProposalState;
    since: number;
    /** JSON of `ProposalChecks`; null = it was not checked yet. */
    checks: string | null;
    warnings: number;
    /** What keeps it from continuing. */
    problem: string | null;
    /** JSON of a `Decided`. */
    approval: string | null;
    /** JSON of the ids of warnings that the approval names. */
    allowed: string;
    rejection: string | null;
    /** JSON of `ApplyPlan`: what applying it writes, before the first file is touched. */
    plan: string | null;
    /** The pull request that brings it to a repository. */
    link: string | null;
    superseded_by: string | null;
  };
}
