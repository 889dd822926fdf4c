import type { JobContext } from '../../../machines/index.ts';
import {
  type Amounts,
  type BudgetMetric,
  NOTHING,
  toWrittenAmount,
} from '../../base/spending/budgetScopes.ts';
import type { Fallback } from '../../base/agents/fallback.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { IndexChange } from '../../kernel/contract.ts';
import type { Admission, SlotGrant, AdmissionAnswer } from '../admission.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Exceeded } from '../../contract/schema/policy/exceeded.ts';
import type { BudgetDeps, CallPrice, Stop } from './budgetDeps.ts';
import {
  type Account,
  type SessionAdmission,
  admitSession,
  listSpentAccounts,
  discountBegunVisit,
} from './admitSession.ts';
import { listAccounts, type HoldRow, computeOpenHold, sumSpentAmounts } from './listAccounts.ts';
import { type CapRow, pickCapRows, replaceChangedCaps } from './capRow.ts';
import { createExceededRecord } from './createExceededRecord.ts';
import { readJobFacts, type JobFacts, resolveScopeKey, NO_JOB } from './readJobFacts.ts';
import { JobCaps } from './jobCaps.ts';
import { listNewWarnings, renderProcessNote } from './listNewWarnings.ts';
import { Likely } from './likely.ts';

/** The least that a session begins with: millionths of a dollar, and the session itself. */
const LEAST: Amounts = { ...NOTHING, usd: 250_000, sessions: 1 };

export class Budgets implements Admission {
  readonly #deps: BudgetDeps;
  readonly #likely: Likely;
  /** Holds that are being written to the store. */
  readonly #pending = new Map<string, HoldRow>();
  readonly #caps: JobCaps;

  constructor(deps: BudgetDeps) {
    this.#deps = deps;
    this.#likely = new Likely(deps.rows);
    this.#caps = new JobCaps(deps);
  }

  /** See {@link JobCaps.runChange}. */
  runChange<T>(
    make: () => RowChange[],
    write: (rowChanges: RowChange[]) => Promise<T>,
  ): Promise<T> {
    return this.#caps.runChange(make, write);
  }

  beginGroup(
    changes: readonly IndexChange[],
  ): (job: ActorState, grant?: SlotGrant) => AdmissionAnswer {
    // The store does not know yet that these jobs have given back their slots.
    const over = new Set(changes.filter(({ after }) => !after.slot).map(({ id }) => id));
    const holdRows = new Map<string, HoldRow>();
    return (job, { fallback } = {}) => {
      const context = job.context as JobContext;
      const facts = this.#facts(context, true, fallback);
      const { caps, personal } = this.#caps.of(facts);
      if (facts.phase === null || caps.length + personal.length === 0) return { kind: 'go' };
      const holds = [...this.#holds(facts.id, over), ...holdRows.values()];
      const { admitted, hold } = this.#ask(facts, holds, true);
      if (admitted.kind === 'wait') return { kind: 'wait' };
      if (admitted.kind === 'over') {
        const overrun = createExceededRecord(admitted.account, this.#deps.now());
        return { kind: 'park', event: { type: 'budget.exceeded', exceeded: overrun } };
      }
      holdRows.set(facts.id, hold);
      return { kind: 'go', grant: { hold } };
    };
  }

  /** The spent budgets that would keep a job from continuing once `changes` are written. */
  findProblems(context: JobContext, changes: readonly RowChange[] = []): Exceeded[] {
    return this.#problems(this.#facts(context, context.next !== null), changes);
  }

  problemOfNew(facts: JobFacts): Exceeded | null {
    return this.#problems(facts, [])[0] ?? null;
  }

  /** Accounts of day, week, runner and repositories: changed ones, and this repository's. */
  listShared(repository: string | null = null): Account[] {
    const personal = this.#caps.personal();
    const slugs = new Set(
      personal.filter(({ scope }) => scope === 'repository').map(({ key }) => key),
    );
    if (repository !== null) slugs.add(repository);
    const standing = {
      caps: this.#caps.listConfigured(),
      personal,
      holds: this.#holds('', new Set()),
      at: this.#deps.now(),
      metered: true,
    };
    const isOfRunner = ({ scope }: Account) =>
      scope === 'day' || scope === 'week' || scope === 'runner';
    return [
      ...listAccounts(this.#reads, NO_JOB, standing).filter(isOfRunner),
      ...[...slugs].flatMap((slug) =>
        listAccounts(this.#reads, { ...NO_JOB, repository: slug }, standing).filter(
          ({ scope }) => scope === 'repository',
        ),
      ),
    ];
  }

  #problems(facts: JobFacts, changes: readonly RowChange[]): Exceeded[] {
    if (facts.phase === null) return [];
    const { over } = this.#ask(facts, [], true, pickCapRows(changes));
    return over.map((account) => createExceededRecord(account, this.#deps.now()));
  }

  /** Every account of a job that does not exist yet, whichever executor runs its phases. */
  accountsOfNew(facts: JobFacts): Account[] {
    const standing = { ...this.#caps.of(facts), holds: [], at: this.#deps.now(), metered: true };
    return listAccounts(this.#reads, facts, standing);
  }

  accounts(context: JobContext): Account[] {
    const facts = this.#facts(context, context.next !== null);
    return listAccounts(this.#reads, facts, {
      ...this.#caps.of(facts),
      holds: this.#holds(facts.id, new Set()),
      at: this.#deps.now(),
      metered: true,
    });
  }

  /**
   * Before a session begins: holds what it may use; resolves after the commit, with the reason if
   * it may not begin.
   */
  begin(jobId: string): Promise<Stop | null> {
    return this.#renew(jobId, true);
  }

  /**
   * After a call: whether the session has to stop. If its hold is used up, it holds more, if more
   * is left.
   */
  async findStopAfterCall(jobId: string): Promise<Stop | null> {
    const facts = this.#readFacts(jobId);
    if (!facts) return null;
    const { caps, personal } = this.#caps.of(facts);
    if (caps.length + personal.length === 0) return null;
    const accounts = this.#accounts(facts, this.#holds(jobId, new Set()));
    const spentAccount = accounts.find(
      ({ metric, cap, spent }) => metric !== 'sessions' && metric !== 'visits' && spent >= cap,
    );
    if (spentAccount) return { exceeded: createExceededRecord(spentAccount, this.#deps.now()) };
    const hold =
      this.#pending.get(jobId) ?? this.#deps.rows.all('budget_holds', { job_id: jobId })[0];
    const open = hold && computeOpenHold(this.#reads, hold);
    const isUsedUp = accounts.some(
      ({ metric }) =>
        metric !== 'sessions' && metric !== 'visits' && (open === undefined || open[metric] <= 0),
    );
    return isUsedUp ? this.#renew(jobId, false) : null;
  }

  /** The first warning for each nearly spent budget; resolves after the commit. */
  async warnings(jobId: string): Promise<string[]> {
    const facts = this.#readFacts(jobId);
    if (!facts) return [];
    const { rows, now, writeRows } = this.#deps;
    const newWarnings = listNewWarnings(rows, this.#accounts(facts, []), jobId, now());
    if (newWarnings.length > 0)
      await writeRows(newWarnings.map((row) => ({ op: 'put', table: 'budget_warnings', row })));
    return newWarnings.map(({ text }) => text);
  }

  /** Note for a session's first message about nearly spent budgets; null = none. */
  note(jobId: string): string | null {
    const facts = this.#readFacts(jobId);
    return facts ? renderProcessNote(this.#accounts(facts, [])) : null;
  }

  /** Milliseconds until a session's minutes are spent; null = no cap. */
  timeLeft(jobId: string): number | null {
    const facts = this.#readFacts(jobId);
    return facts ? this.#left(facts, 'minutes') : null;
  }

  /** Dollars that a session may use; null = no cap, or not priced by its vendor. */
  usdLeft(jobId: string): number | null {
    const facts = this.#readFacts(jobId);
    const remainingUsd = facts && this.#callPrice(facts).isListed ? this.#left(facts, 'usd') : null;
    return remainingUsd === null ? null : toWrittenAmount('usd', remainingUsd);
  }

  /** The smallest rest that others do not hold, over all accounts. */
  #left(facts: JobFacts, of: BudgetMetric): number | null {
    const remainingAmounts = this.#accounts(facts, this.#holds(facts.id, new Set()))
      .filter(({ metric }) => metric === of)
      .map(({ cap, spent, held }) => cap - spent - held);
    return remainingAmounts.length === 0 ? null : Math.max(0, Math.min(...remainingAmounts));
  }

  /** The stop of a job after `ms` more of work, if that uses up the minutes of a cap. */
  findStopByTime(jobId: string, ms: number): Stop | null {
    const facts = this.#readFacts(jobId);
    const account =
      facts &&
      this.#accounts(facts, []).find(
        ({ metric, cap, spent }) => metric === 'minutes' && spent + ms >= cap,
      );
    if (!account) return null;
    const spentWithRun = Math.min(account.cap, account.spent + ms);
    return {
      exceeded: createExceededRecord({ ...account, spent: spentWithRun }, this.#deps.now()),
    };
  }

  async #renew(jobId: string, begins: boolean): Promise<Stop | null> {
    const facts = this.#readFacts(jobId);
    if (!facts) return null;
    const { caps, personal } = this.#caps.of(facts);
    if (caps.length + personal.length === 0) return null;
    const { admitted, hold } = this.#ask(facts, this.#holds(jobId, new Set()), begins);
    if (admitted.kind === 'over')
      return { exceeded: createExceededRecord(admitted.account, this.#deps.now()) };
    if (admitted.kind === 'wait') return { exceeded: null };
    this.#pending.set(jobId, hold);
    try {
      await this.#deps.writeRows([{ op: 'put', table: 'budget_holds', row: hold }]);
    } finally {
      if (this.#pending.get(jobId) === hold) this.#pending.delete(jobId);
    }
    return null;
  }

  #ask(
    facts: JobFacts,
    holds: readonly HoldRow[],
    begins: boolean,
    more: readonly CapRow[] = [],
  ): { admitted: SessionAdmission; over: Account[]; hold: HoldRow } {
    const { metered, microUsd } = this.#callPrice(facts);
    const now = this.#deps.now();
    const likely = this.#likely.of(facts, microUsd, now);
    const own = resolveScopeKey('session', facts) ?? '';
    const isCounted =
      !begins ||
      sumSpentAmounts(this.#reads, { scope: 'session', key: own, window: '' }).sessions > 0;
    const accounts = this.#accounts(facts, holds, more).filter(({ metric }) =>
      metric === 'visits' ? begins : metric !== 'sessions' || !isCounted,
    );
    const countedAccounts = accounts.map((account) =>
      discountBegunVisit(account, facts.isNewVisit),
    );
    const want = { likely, least: begins ? LEAST : NOTHING };
    const admission = admitSession(countedAccounts, want);
    const over = admission.kind === 'over' ? listSpentAccounts(countedAccounts, want) : [];
    const amounts = admission.kind === 'go' ? admission.hold : NOTHING;
    const base = sumSpentAmounts(this.#reads, { scope: 'job', key: facts.id, window: '' });
    const hold: HoldRow = {
      job_id: facts.id,
      root: facts.root,
      repository: facts.repository,
      at: now,
      usd: metered ? amounts.usd : 0,
      tokens: amounts.tokens,
      sessions: isCounted ? 0 : 1,
      minutes: amounts.minutes,
      base_usd: base.usd,
      base_tokens: base.tokens,
      base_sessions: base.sessions,
      base_minutes: base.minutes,
    };
    return { admitted: admission, over, hold };
  }

  #accounts(facts: JobFacts, holds: readonly HoldRow[], more: readonly CapRow[] = []): Account[] {
    const { caps, personal } = this.#caps.of(facts);
    return listAccounts(this.#reads, facts, {
      caps,
      personal: replaceChangedCaps(personal, more),
      holds,
      at: this.#deps.now(),
      metered: this.#callPrice(facts).metered,
    });
  }

  #callPrice({ phase }: JobFacts): CallPrice {
    return phase === null
      ? { metered: true, isListed: false, microUsd: 0 }
      : this.#deps.callPrice(phase);
  }

  #holds(except: string, over: ReadonlySet<string>): HoldRow[] {
    const holdRows = this.#deps.rows.all('budget_holds');
    const all = new Map([...holdRows, ...this.#pending.values()].map((row) => [row.job_id, row]));
    return [...all.values()].filter(({ job_id }) => job_id !== except && !over.has(job_id));
  }

  #readFacts(jobId: string): JobFacts | undefined {
    const context = this.#deps.readContext(jobId);
    return context && this.#facts(context, false);
  }

  #facts(context: JobContext, next: boolean, fallback?: Fallback): JobFacts {
    const { parentJobId } = context.params;
    // A job that begins in this commit is not in the list yet; its parent is.
    const root = typeof parentJobId === 'string' ? this.#deps.findRoot(parentJobId) : context.id;
    return readJobFacts(context, root, next, fallback);
  }

  get #reads() {
    return { rows: this.#deps.rows, getUnpricedRate: () => this.#deps.settings.budgets.unpriced };
  }
}
