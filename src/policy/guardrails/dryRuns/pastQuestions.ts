import { toFields } from '../../../base/json/untrusted.ts';
import type { JobContext } from '../../../../machines/index.ts';
import type { JournalRow } from '../../../kernel/writer.ts';
import { COMMENTS } from '../builtIn/countRules.ts';
import { buildRuleSubject } from '../buildRuleSubject.ts';
import type { Subject } from '../rule.ts';

const HOUR_MS = 3_600_000;

/** Members of a tool's event other than its arguments. */
const NO_ARGS = new Set(['type', 'at', 'visit', 'session', 'key', 'specs', 'workflow', 'alias']);

export interface PastQuestion {
  seq: number;
  at: number;
  subject: Subject;
  /** About a branch, whose content no journal has. */
  isPush: boolean;
}

interface PastJob {
  context: Pick<JobContext, 'id' | 'workflowPath' | 'params' | 'interactive' | 'subRunOf'>;
  /** Phases by visit. */
  phases: ReadonlyMap<number, string>;
}

/**
 * What guardrails would have been asked during a job's life, from its journal lines in order. What
 * no line has is empty: content of branches, approvals, checks, budgets.
 */
export class PastQuestions {
  readonly #job: PastJob;
  /** Epoch ms of written comments. */
  readonly #comments: number[] = [];
  /** `repository#number` and `repository branch` of the job's open pull requests. */
  readonly #open = new Map<string, string>();

  constructor(job: PastJob) {
    this.#job = job;
  }

  /** The job's beginning, with its present params and workflow. */
  begin(at: number): PastQuestion {
    const { params, workflowPath, interactive, subRunOf } = this.#job.context;
    const subject = buildRuleSubject(
      { id: '', workflowPath, params, interactive },
      {
        moment: 'job.start',
        args: params,
        phase: this.#job.phases.get(1) ?? '',
        actor: subRunOf === null ? 'person' : 'sub-run',
      },
    );
    return { seq: 0, at, isPush: false, subject };
  }

  take({ seq, at, event, note }: JournalRow): PastQuestion[] {
    if (note) return [];
    const eventFields = toFields(event);
    if (event.type === 'forge.wrote') this.#wrote(eventFields, at);
    if (event.type === 'forge.event') this.#noteEvent(toFields(eventFields.event));
    const phase = this.#job.phases.get(Number(eventFields.visit)) ?? '';
    const question = (
      part: Pick<Subject, 'moment'> & Partial<Subject>,
      isPush = false,
    ): PastQuestion => ({
      seq,
      at,
      isPush,
      subject: buildRuleSubject(this.#job.context, { ...part, phase, done: this.#countDone(at) }),
    });
    if (event.type === 'session.ended')
      return eventFields.stopReason === 'end_turn' ? [question({ moment: 'phase.end' })] : [];
    if (!event.type.startsWith('tool.')) return [];
    if (event.type !== 'tool.forge_write') {
      const args = Object.entries(eventFields).filter(([key]) => !NO_ARGS.has(key));
      const tool = event.type.slice('tool.'.length);
      return [question({ moment: 'tool.before', tool, args: Object.fromEntries(args) })];
    }
    const operation = String(eventFields.operation);
    const { checkoutDir: _place, ...args } = toFields(eventFields.args);
    const pr = this.#pr(operation, args);
    return [
      question({ moment: 'tool.before', tool: `${String(eventFields.forge)}_${operation}`, args }),
      question(
        {
          moment: operation === 'merge_pr' ? 'merge.before' : 'write.before',
          tool: operation,
          args,
          pr,
        },
        operation === 'create_pr',
      ),
    ];
  }

  #countDone(at: number): Subject['done'] {
    return {
      openPrs: this.#open.size,
      commentsInHour: this.#comments.filter((writtenAt) => writtenAt > at - HOUR_MS).length,
    };
  }

  #wrote({ operation, ok, pr }: Record<string, unknown>, at: number): void {
    if (ok !== true) return;
    if (COMMENTS.includes(String(operation))) this.#comments.push(at);
    const { repo, number, head, state } = toFields(pr);
    if (repo === undefined) return;
    const key = `${String(repo)}#${String(number)}`;
    if (state === 'open') this.#open.set(key, `${String(repo)} ${String(head)}`);
    else this.#open.delete(key);
  }

  #noteEvent({ kind, repo, number }: Record<string, unknown>): void {
    if (kind === 'merged' || kind === 'closed')
      this.#open.delete(`${String(repo)}#${String(number)}`);
  }

  #pr(operation: string, args: Record<string, unknown>): Subject['pr'] {
    const repository = String(args.repo ?? '');
    const branch = `${repository} ${String(args.head)}`;
    const openBranch = [...this.#open].find(([, one]) => one === branch)?.[0];
    const number =
      operation === 'create_pr'
        ? Number(openBranch?.slice(openBranch.lastIndexOf('#') + 1) ?? Number.NaN)
        : Number(args.number ?? Number.NaN);
    if (Number.isNaN(number)) return null;
    const own = this.#open.has(`${repository}#${number}`);
    return { number, repository, own, author: '', draft: false, checks: '' };
  }
}
