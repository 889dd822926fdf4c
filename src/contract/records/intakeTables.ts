import type { EvidenceTrust } from '../schema/planning/evidence.ts';
import type { ReadinessState, TurnState } from '../schema/planning/intake.ts';

/** A boolean as SQLite stores it. */
type Flag = 0 | 1;

/** The tables of plan-mode chats; a part of `Tables`. Times are epoch ms. */
export interface IntakeTables {
  /** A row from the first message on: empty chats are never stored. */
  investigations: {
    id: string;
    title: string;
    created_at: number;
    updated_at: number;
    /** Repository that was read first. */
    repo: string | null;
    /** JSON of the pins: slug, forge, ref and commit of each repository that was read. */
    pins: string;
    /** Choice of the person; null = the alias `planning`. */
    provider: string | null;
    model: string | null;
    /** Of the last readiness block; null = none yet. */
    readiness_state: ReadinessState | null;
    /** JSON of that block. */
    readiness: string | null;
    /** JSON of the last proposed run. */
    run: string | null;
    findings: string | null;
    findings_sha: string | null;
    findings_by: 'model' | 'person' | null;
    /** What the model wrote last was longer than what is kept of it. */
    findings_cut: Flag;
    /** What the model would replace a person's edit with. */
    findings_proposed: string | null;
    input_tokens: number;
    output_tokens: number;
    cached_input_tokens: number;
    cache_write_tokens: number;
    context_tokens: number | null;
    /** Turns whose price is not known. */
    unpriced_turns: number;
    lookups: number;
    turns: number;
    /** JSON of a list. */
    job_ids: string;
    /** With which the executor continues its own conversation. */
    resume: string | null;
    /** Number of the first turn that the model is shown; what was before is in `summary`. */
    folded_to: number;
    summary: string | null;
    /** JSON of the transcript as the dashboard has it. */
    items: string;
  };
  investigation_turns: {
    investigation: string;
    n: number;
    at: number;
    ended_at: number | null;
    state: TurnState;
    message: string;
    answer: string;
    thinking: string;
    /** JSON of the request's context. */
    context: string;
    error: string | null;
    reason: string | null;
    rounds: number;
    provider: string;
    model: string | null;
    /** JSON; null = not known. */
    usage: string | null;
    /** The `<evidence>` entry of this turn as it is sent; null = none, or not settled. */
    replay: string | null;
  };
  investigation_evidence: {
    investigation: string;
    /** Number: `E1` is 1. */
    n: number;
    turn: number;
    tool: string;
    /** JSON of what the model asked with; cut at 4,000 characters, and then no longer JSON. */
    args: string;
    target: string;
    ok: Flag;
    ms: number;
    repo: string | null;
    commit_sha: string | null;
    path: string | null;
    from_line: number | null;
    to_line: number | null;
    sha256: string;
    trust: EvidenceTrust;
    cited: Flag;
    chars: number;
    /** Of its turn, from 1. */
    round: number;
    /** Characters of the turn's answer, and of its thinking, that had come before it. */
    answer_at: number;
    thinking_at: number;
  };
  /** Texts of look-ups, each once. */
  investigation_texts: { investigation: string; sha256: string; text: string };
  investigation_citations: {
    investigation: string;
    ref: string;
    /** JSON of the citation. */
    citation: string;
    checked_at: number;
  };
}
