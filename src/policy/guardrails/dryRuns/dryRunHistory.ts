import { formatCount } from '../../../base/text/formatCount.ts';
import { waitForNextTurn } from '../../../base/concurrency/waitForNextTurn.ts';
import type { JobContext } from '../../../../machines/index.ts';
import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type { RowReader } from '../../../contract/records/rowReader.ts';
import type { DurableStore } from '../../../kernel/writer.ts';
import { isAsked, type RuleOutcome } from '../../guardrails/evaluateRule.ts';
import type { Rule, Subject } from '../../guardrails/rule.ts';
import type { ScriptRule } from '../../guardrails/readScriptRules.ts';
import type { DryRunFinding, DryRunHistory } from '../../../contract/schema/policy/dryRun.ts';
import { PastQuestions } from './pastQuestions.ts';

/** Whether a rule depends on the content of a branch. A script counts as if it did. */
function looksAtContent(rule: Rule | ScriptRule, subject: Subject): boolean {
  if (rule.source === 'script' || rule.paths !== null) return true;
  if (rule.source === 'config') return /\bdiff\b/.test(rule.condition);
  let readsDiff = false;
  const watchedSubject = Object.defineProperty({ ...subject }, 'diff', {
    get() {
      readsDiff = true;
      return null;
    },
  });
  try {
    rule.test(watchedSubject, rule);
  } catch {
    // The rule failed; what it has read counts.
  }
  return readsDiff;
}

/** Longest dry run, ms. */
const MAX_MS = 20_000;
/** Most lines of journals that are read, and most runs of a script. */
const MAX_ROWS = 200_000;
const MAX_SCRIPT_RUNS = 200;
/** Most findings in the answer. */
const MAX_FOUND = 200;
/** Longest work without a break, ms, so that the runner can do other work. */
const SLICE_MS = 5;
const ROWS_AT_ONCE = 20;
const JOBS_AT_ONCE = 50;

/** A job's last change, and its place among jobs changed at the same time. */
interface ChangedJob {
  id: string;
  since: number;
  row: number;
}

interface ChangedJobs {
  /** At most `limit` jobs that changed since a time, newest first, after `last`. */
  jobs(from: number, last: Omit<ChangedJob, 'id'> | null, limit: number): ChangedJob[];
}

export interface DryRunDeps {
  rows: RowReader;
  durable: Pick<DurableStore, 'journal' | 'actor'>;
  statistics: ChangedJobs;
  /** The rule's result; nothing is stored. */
  ask(rule: Rule | ScriptRule, subject: Subject): Promise<RuleOutcome | null>;
  measureElapsed(): number;
}

const NOT_KNOWN = [
  'Calls that only read, calls that were refused and the own tools of agents, such as their shell, have no line of a journal.',
  'What a branch brought was not kept: a rule about files or lines cannot judge a push.',
  'The beginning of a job is judged by the params and the workflow that it has now, as if a person had made it, or its parent.',
  'Approvals, checks and budgets as they were then are not known, and count as empty.',
];

const STOPS: readonly string[] = ['deny', 'park'];

export class DryRun {
  readonly #deps: DryRunDeps;
  readonly #rule: Rule | ScriptRule;
  readonly #signal: AbortSignal;
  readonly #found: DryRunFinding[] = [];
  readonly #stopped = new Set<string>();
  readonly #noted = new Set<string>();
  readonly #counts = { jobs: 0, questions: 0, withoutContent: 0, foundInAll: 0 };
  #rowsRead = 0;
  #scriptRuns = 0;
  #sliceBegan: number;
  readonly #began: number;
  #cutBy: DryRunHistory['cutBy'] = null;

  constructor(deps: DryRunDeps, rule: Rule | ScriptRule, signal: AbortSignal) {
    this.#deps = deps;
    this.#rule = { ...rule, enabled: true };
    this.#signal = signal;
    this.#began = deps.measureElapsed();
    this.#sliceBegan = this.#began;
  }

  /** `countsDecisions`: also counts what the rule has really stopped. */
  async replayJobs(jobs: AsyncIterable<string>, countsDecisions: boolean): Promise<DryRunHistory> {
    for await (const jobId of jobs) {
      if (this.#isOver()) break;
      await this.#job(jobId);
      if (countsDecisions) this.#readDecisions(jobId);
      this.#counts.jobs += 1;
    }
    const { jobs: read, withoutContent } = this.#counts;
    const notedCount = [...this.#noted].filter((job) => !this.#stopped.has(job)).length;
    return {
      text: describeDryRunResult(this.#rule, {
        read,
        stopped: this.#stopped.size,
        noted: notedCount,
        withoutContent,
      }),
      ...this.#counts,
      stopped: this.#stopped.size,
      noted: notedCount,
      found: this.#found,
      cutBy: this.#cutBy,
      notKnown: NOT_KNOWN,
    };
  }

  async #job(jobId: string): Promise<void> {
    const { durable, rows } = this.#deps;
    const row = durable.actor(jobId);
    if (!row) return;
    const { context } = JSON.parse(row.snapshot) as { context: JobContext };
    const visits = rows.all('phase_visits', { job_id: jobId });
    const phases = new Map(visits.map(({ visit, phase }) => [visit, phase]));
    const past = new PastQuestions({ context, phases });
    const pastQuestion = past.begin(row.createdAt);
    await this.#question(pastQuestion.subject, false, {
      jobId,
      seq: 0,
      at: toIsoTime(row.createdAt),
    });
    for (let after = 0; ; ) {
      await this.#breathe();
      const lines = durable.journal(jobId, after, ROWS_AT_ONCE);
      for (const line of lines) {
        for (const { subject, isPush, seq, at } of past.take(line)) {
          if (this.#isOver()) return;
          await this.#question(subject, isPush, { jobId, seq, at: toIsoTime(at) });
        }
        await this.#breathe();
      }
      this.#rowsRead += lines.length;
      after = lines.at(-1)?.seq ?? after;
      if (lines.length < ROWS_AT_ONCE || this.#isOver()) return;
    }
  }

  async #question(
    subject: Subject,
    isPush: boolean,
    where: Pick<DryRunFinding, 'jobId' | 'seq' | 'at'>,
  ): Promise<void> {
    const rule = this.#rule;
    const isContent = isPush && rule.when.includes(subject.moment) && looksAtContent(rule, subject);
    if (isContent) this.#counts.withoutContent += 1;
    // Without the content, a rule about files would seem to pass.
    if (isContent || !isAsked(rule, subject)) return;
    this.#counts.questions += 1;
    if (rule.source === 'script') this.#scriptRuns += 1;
    const outcome = await this.#deps.ask(rule, subject);
    if (outcome === null) return;
    const { moment, tool, phase } = subject;
    this.#add({ ...where, moment, tool, phase, result: outcome.result, message: outcome.message });
  }

  #readDecisions(jobId: string): void {
    for (const row of this.#deps.rows.all('guardrail_decisions', {
      job_id: jobId,
      rule: this.#rule.id,
    })) {
      if (!STOPS.includes(row.result)) continue;
      const { moment, tool, phase, result, message, at } = row;
      this.#add({ jobId, at: toIsoTime(at), seq: null, moment, tool, phase, result, message });
    }
  }

  #add(finding: DryRunFinding): void {
    this.#counts.foundInAll += 1;
    (STOPS.includes(finding.result) ? this.#stopped : this.#noted).add(finding.jobId);
    if (this.#found.length < MAX_FOUND) this.#found.push(finding);
  }

  /** Throws the reason of the signal once it is aborted. */
  async #breathe(): Promise<void> {
    if (this.#deps.measureElapsed() - this.#sliceBegan < SLICE_MS) return;
    await waitForNextTurn();
    this.#signal.throwIfAborted();
    this.#sliceBegan = this.#deps.measureElapsed();
  }

  #isOver(): boolean {
    if (this.#deps.measureElapsed() - this.#began > MAX_MS) this.#cutBy ??= 'time';
    else if (this.#rowsRead >= MAX_ROWS) this.#cutBy ??= 'rows';
    else if (this.#scriptRuns >= MAX_SCRIPT_RUNS) this.#cutBy ??= 'scripts';
    return this.#cutBy !== null;
  }
}

export async function* listNewestJobIds(
  { statistics }: Pick<DryRunDeps, 'statistics'>,
  most: number,
): AsyncGenerator<string> {
  let last: ChangedJob | null = null;
  for (let remaining = most; remaining > 0; ) {
    const jobs = statistics.jobs(0, last, Math.min(remaining, JOBS_AT_ONCE));
    for (const { id } of jobs) yield id;
    last = jobs.at(-1) ?? null;
    if (last === null) return;
    remaining -= jobs.length;
  }
}

function describeDryRunResult(
  { do: act }: Pick<Rule, 'do'>,
  {
    read,
    stopped,
    noted,
    withoutContent,
  }: { read: number; stopped: number; noted: number; withoutContent: number },
): string {
  const does = stopped > 0 || STOPS.includes(act) ? 'stopped' : 'noted something in';
  const result = `Would have ${does} ${stopped > 0 || does === 'stopped' ? stopped : noted} of ${formatCount(read, 'job')}.`;
  if (withoutContent === 0) return result;
  const pushes = formatCount(withoutContent, 'push', 'pushes');
  return `${result} ${pushes} could not be judged: what a branch brought was not kept.`;
}
