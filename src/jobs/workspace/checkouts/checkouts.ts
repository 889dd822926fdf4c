import { join } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';
import { KeyedQueue } from '../../../base/concurrency/keyedQueue.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { RowChange } from '../../../contract/records/changes.ts';
import type { RowReader } from '../../../contract/records/rowReader.ts';
import type { Tables } from '../../../contract/records/tables.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';
import { toCheckoutDir } from '../../../git/checkout.ts';
import type { Layer } from '../../../workflows/overlay/layer.ts';
import type { Workplace } from '../workplace.ts';
import type { CheckoutScripts } from './checkoutScripts.ts';
import { findPortRange, listPortRanges } from './findPortRange.ts';
import { linkCaches } from './linkCaches.ts';
import type { PersonFiles } from './personFiles.ts';
import { type CheckoutRecipe, findCheckoutRule, resolveRecipe } from './resolveRecipe.ts';

export interface CheckoutsDeps {
  settings: Pick<Settings, 'home' | 'checkout'>;
  rows: RowReader;
  /** Resolves when they are durable. */
  writeRows(rows: RowChange[]): Promise<void>;
  workplace: Pick<Workplace, 'jobDir'>;
  scripts: Pick<CheckoutScripts, 'makeHome' | 'setUp' | 'tearDown'>;
  files: PersonFiles;
  hasEnded(jobId: string): boolean;
  isPortInUse(port: number): Promise<boolean>;
}

/** A checkout of a job, and what says how it is made ready. */
export interface JobCheckout {
  jobId: string;
  slug: string;
  absDir: string;
  layers: readonly Layer[];
}

interface Visit {
  phase: string;
  visit: number;
  /** Aborted when the runner stops. */
  signal: AbortSignal;
}

export interface PreparedCheckout {
  /** For the commit of the preparation. */
  rows: RowChange<'checkouts'>[];
  /** Why no agent may begin in it; null = it is ready. */
  problem: string | null;
  /** For the log. */
  lines: string[];
}

type CheckoutRow = Tables['checkouts'];

/** Makes the checkouts of jobs ready for their agents: ports, shared caches, scripts. */
export class Checkouts {
  readonly #deps: CheckoutsDeps;
  readonly #turns = new KeyedQueue();
  /** Ranges that were chosen and are not committed yet, by job. */
  readonly #chosen = new Map<string, { port: number; ports: number }>();

  constructor(deps: CheckoutsDeps) {
    this.#deps = deps;
  }

  /** The variables of all programs that run in a checkout. */
  readVariables(jobId: string): Record<string, string> {
    const { port, ports } = this.#readRow(jobId);
    const range = port === null ? {} : { SVC_PORT: String(port), SVC_PORT_COUNT: String(ports) };
    return { SVC_JOB_ID: jobId, ...range };
  }

  /** Folders outside of the job's that its programs write to. */
  listSharedFolders(checkout: Omit<JobCheckout, 'absDir'>): string[] {
    return this.#listCaches(checkout.jobId, checkout.slug, this.#resolve(checkout).caches).map(
      ({ shared }) => shared,
    );
  }

  /**
   * Prepares a checkout as far as needed: after a crash again from the start of what was
   * under way. Throws SvcError `invalid` for a wrong `.svc/checkout.md`, `SetupStopped` if no one waits
   * for it any more.
   */
  prepare(checkout: JobCheckout, visit: Visit): Promise<PreparedCheckout> {
    return this.#turns.run(checkout.jobId, () => this.#prepare(checkout, visit));
  }

  /** Whether the setup of exactly this clone and this script has run. Throws as {@link prepare}. */
  async isReady(checkout: JobCheckout): Promise<boolean> {
    const rule = findCheckoutRule(this.#deps.settings.checkout, checkout.slug);
    if (rule !== undefined) await this.#deps.files.learnCopies(rule, checkout.absDir);
    const { setup } = this.#resolve(checkout);
    const { copyFiles = [] } = rule ?? {};
    if (copyFiles.length > 0 && this.#readRow(checkout.jobId).files_hash === null) return false;
    return setup === null || this.#readRow(checkout.jobId).setup_hash === sha256(setup);
  }

  /** Before a job gets a new clone: nothing in it is set up. */
  async forgetSetup(jobId: string): Promise<void> {
    const { setup_hash, files_hash } = this.#readRow(jobId);
    if (setup_hash === null && files_hash === null) return;
    const set = { setup_hash: null, files_hash: null };
    await this.#deps.writeRows([{ op: 'patch', table: 'checkouts', key: { job_id: jobId }, set }]);
  }

  /** Has the values of files that agents may get screened. Never rejects. */
  learnSecrets(): Promise<void> {
    return this.#deps.files.learnAll();
  }

  /**
   * Runs the teardown of a checkout that is about to be removed. Answers why it failed; null = it
   * has not. A job that is rerun in it is set up again.
   */
  async tearDown(checkout: JobCheckout): Promise<string | null> {
    const { jobId } = checkout;
    const { teardown } = this.#resolve(checkout);
    if (teardown === null || this.#deps.rows.one('checkouts', { job_id: jobId }) === undefined)
      return null;
    await this.forgetSetup(jobId);
    return this.#deps.scripts.tearDown({
      ...checkout,
      script: teardown,
      variables: this.readVariables(jobId),
      shared: this.listSharedFolders(checkout),
    });
  }

  /** The checkout of a job is gone: its ports are free. */
  async release(jobId: string): Promise<void> {
    this.#chosen.delete(jobId);
    if (this.#deps.rows.one('checkouts', { job_id: jobId }) !== undefined)
      await this.#deps.writeRows([{ op: 'drop', table: 'checkouts', key: { job_id: jobId } }]);
  }

  #readRow(jobId: string): CheckoutRow {
    const none = { job_id: jobId, port: null, ports: 0, setup_hash: null, files_hash: null };
    const row = this.#deps.rows.one('checkouts', { job_id: jobId }) ?? none;
    return { ...row, ...this.#chosen.get(jobId) };
  }

  #resolve({ slug, layers }: Pick<JobCheckout, 'slug' | 'layers'>): CheckoutRecipe {
    return resolveRecipe(findCheckoutRule(this.#deps.settings.checkout, slug), layers);
  }

  #listCaches(jobId: string, slug: string, caches: readonly string[]) {
    const { settings, workplace } = this.#deps;
    const folder = join(settings.home, 'caches', toCheckoutDir(slug));
    const home = join(workplace.jobDir(jobId), 'home');
    return caches.map((path) => ({ shared: join(folder, path), link: join(home, path) }));
  }

  async #prepare(checkout: JobCheckout, { phase, visit, signal }: Visit) {
    const { jobId, slug, absDir } = checkout;
    const { setup, setupMinutes, caches } = this.#resolve(checkout);
    const before = this.#readRow(jobId);
    const rows: RowChange<'checkouts'>[] = [];
    const lines: string[] = [];
    const putRow = (row: Partial<CheckoutRow>) => {
      const { port, ports } = this.#readRow(jobId);
      rows.push({ op: 'put', table: 'checkouts', row: { job_id: jobId, port, ports, ...row } });
    };
    if (before.port === null) {
      const problem = await this.#choosePorts(jobId);
      if (problem !== null) return { rows, lines, problem };
    }
    // Also those of an earlier attempt whose outcome was not committed.
    const { port } = this.#readRow(jobId);
    if (port !== this.#deps.rows.one('checkouts', { job_id: jobId })?.port && port !== null)
      putRow({});
    const links = this.#listCaches(jobId, slug, caches);
    const home = join(this.#deps.workplace.jobDir(jobId), 'home');
    if (links.length > 0) await this.#deps.scripts.makeHome(jobId, visit);
    lines.push(...(await linkCaches(home, links)));
    const rule = findCheckoutRule(this.#deps.settings.checkout, slug);
    if (rule?.copyFiles?.length) {
      try {
        const files_hash = await this.#deps.files.bring(rule, absDir, before.files_hash);
        if (files_hash !== before.files_hash) putRow({ files_hash });
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        return { rows, lines, problem: error.message };
      }
    }
    const hash = setup === null ? null : sha256(setup);
    if (setup === null || before.setup_hash === hash) return { rows, lines, problem: null };
    const problem = await this.#deps.scripts.setUp({
      ...checkout,
      phase,
      visit,
      signal,
      script: setup,
      minutes: setupMinutes,
      variables: this.readVariables(jobId),
      shared: links.map(({ shared }) => shared),
    });
    if (problem === null) putRow({ setup_hash: hash });
    return { rows, lines, problem };
  }

  /** Chosen for one job after the other, so that no two get the same. Answers why no range is free. */
  #choosePorts(jobId: string): Promise<string | null> {
    const { settings, rows, hasEnded, isPortInUse } = this.#deps;
    const { ports } = settings.checkout ?? {};
    if (ports === undefined || ports.perCheckout === 0) return Promise.resolve(null);
    return this.#turns.run('', async () => {
      const checkoutRows = rows.all('checkouts').filter(({ port }) => port !== null);
      for (const { job_id, port } of checkoutRows)
        if (this.#chosen.get(job_id)?.port === port) this.#chosen.delete(job_id);
      for (const job_id of this.#chosen.keys()) if (hasEnded(job_id)) this.#chosen.delete(job_id);
      const toTaken = (row: CheckoutRow) => ({ port: row.port ?? 0, ports: row.ports });
      const chosenRanges = [...this.#chosen.values()];
      const ranges = listPortRanges(ports, Number.parseInt(sha256(settings.home).slice(0, 8), 16));
      const live = checkoutRows.filter(({ job_id }) => !hasEnded(job_id));
      const range =
        (await findPortRange(
          ranges,
          [...checkoutRows.map(toTaken), ...chosenRanges],
          isPortInUse,
        )) ??
        (await this.#takeFromEnded(ranges, [...live.map(toTaken), ...chosenRanges], checkoutRows));
      if (range === null)
        return `All ${ranges.length} ranges of checkout.ports are used by jobs that have not ended, or by other programs. Widen checkout.ports, or lower perCheckout.`;
      this.#chosen.set(jobId, range);
      return null;
    });
  }

  /** Ports of ended jobs whose checkouts are not cleaned up yet: a rerun gets others. */
  async #takeFromEnded(
    ranges: ReturnType<typeof listPortRanges>,
    takenRanges: { port: number; ports: number }[],
    checkoutRows: readonly CheckoutRow[],
  ) {
    const range = await findPortRange(ranges, takenRanges, this.#deps.isPortInUse);
    if (range === null) return null;
    const overlapping = checkoutRows.filter(
      ({ port, ports }) =>
        port !== null && port < range.port + range.ports && range.port < port + ports,
    );
    await this.#deps.writeRows(
      overlapping.map(({ job_id }) => ({
        op: 'patch' as const,
        table: 'checkouts' as const,
        key: { job_id },
        set: { port: null, ports: 0 },
      })),
    );
    return range;
  }
}
