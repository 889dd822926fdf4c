import { isDeepStrictEqual } from 'node:util';
import type { TeamLink } from '../../api/server/gates/memberAccess.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { readCurrentNetwork } from '../../base/system/network/network.ts';
import type { CloudStatus } from '../../contract/schema/runner/cloudStatus.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import { STORE_VERSION } from '../../jobs/store/migrations/migrations.ts';
import type { CloudLink } from '../../cloudLink/cloudLink.ts';
import type { AdoptedHomes } from '../adoption/adoptedHomes.ts';
import type { AdoptionParts } from '../adoption/openAdoptedHomes.ts';
import { readOwnHomeId } from '../backup/homeRecord.ts';
import type { OpenStore } from '../../jobs/store/openStore.ts';
import type { Blobs } from '../../jobs/workspace/blobs.ts';
import { CloudReach } from './cloudReach.ts';
import type { ConnectionParts } from './connectionParts.ts';
import { describeRunner, readRunnerLoad, toShownAddress } from './describeRunner.ts';
import { followPairedHome } from './followPairedHome.ts';
import type { PairedHome } from './homes/pairedHome.ts';
import type { LeaveTeamReply } from '../../contract/schema/runner/leaveTeam.ts';
import { raceDeadline } from '../../base/time/waiting.ts';
import { isPaired } from './isPaired.ts';
import { leaveAsConfigured } from './leaveAsConfigured.ts';
import { type Pairing, readPairing, savePairing } from './pairing.ts';
import { refuseJobsFrom, resolveAccept } from './refuseJobsFrom.ts';
import type { Start } from './startOptions.ts';
import { createTeamWebhooks } from './teamWebhooks.ts';
import { openTeamOverlayLink, type TeamOverlayLink } from './teamOverlayLink.ts';
import { switchBlobs } from './switchBlobs.ts';

/** Whether a stop gives the home up: always, or where the runner is one of the pool. */
export type HandOver = 'always' | 'pool';

/** Longest wait of a request for a home that leaves, ms. */
const LEAVE_MS = 5_000;

type CloudSettings = Settings['cloud'];

/**
 * The connection of this runner to the control plane of its team, while the configuration names one. What speaks with
 * it is loaded only then.
 */
export class TeamConnection {
  readonly #start: Start;
  readonly #soloId: string;
  readonly #store: OpenStore;
  /** Whether the control plane answers, and what waits for it. */
  readonly reach: CloudReach;
  /** null = the home is local. */
  #paired: PairedHome | null;
  #blobs: Blobs | null = null;
  #parts: ConnectionParts | null = null;
  #link: CloudLink | null = null;
  #overlay: TeamOverlayLink | null = null;
  /** What the link was opened with; the token is the newest one. */
  #opened: CloudSettings;
  #secret = '';
  #pairing: Pairing | null = null;
  #isStarted = false;
  #isClosed = false;
  /** Repositories that jobs have had; the names stay here. */
  #repositories: string[] = [];
  #leaving: Promise<void> | null = null;
  #handsOver = false;
  /** null = not connected yet, or no homes are taken over. */
  #adopted: AdoptedHomes | null = null;
  /** Changes of the configuration are taken up in sequence. */
  #last: Promise<void> = Promise.resolve();

  constructor(start: Start, store: OpenStore, pairedHome: PairedHome | null) {
    this.#start = start;
    this.#store = store;
    this.#paired = pairedHome;
    this.#soloId = start.settings.tenant.id;
    this.#opened = { ...start.settings.cloud, url: '', token: '' };
    this.reach = new CloudReach({
      clock: start.clock,
      home: () => this.#paired,
      countWaiting: () => this.#parts?.runner.waiting() ?? 0,
    });
    if (pairedHome !== null) followPairedHome(this.#start, this.reach, pairedHome);
  }

  /** null = the runner has no control plane. */
  readonly status = (): CloudStatus | null => {
    const { cloud } = this.#start.settings;
    if (!isPaired(cloud)) return null;
    const { team = null, runner = null } = this.#pairing ?? {};
    return {
      url: toShownAddress(cloud.url),
      ...this.reach.describe(),
      team,
      runner: runner && { id: runner.id, name: runner.name },
      ...this.#listAdopted(),
    };
  };

  /** What the gate of the API knows of the link; null = no request comes from one. */
  readonly link = (): TeamLink | null =>
    this.#secret === ''
      ? null
      : { secret: this.#secret, refuseDispatch: (member) => this.#refuseJobsFrom(member.userId) };

  /** Connects, where the configuration names one, now and after each change of it. */
  async open(parts: ConnectionParts): Promise<void> {
    this.#parts = parts;
    parts.onPluginsChange(() => this.#link?.reconnect());
    this.#start.settingsListeners.add(() => {
      this.#last = this.#last.then(() => this.#follow());
    });
    await this.#follow();
  }

  /** Artefacts, which the control plane has too while the home has a log there. */
  withBlobs(local: Blobs): Blobs {
    return switchBlobs(local, () => (this.#blobs ??= this.#paired?.withBlobs(local) ?? local));
  }

  readonly webhooks = createTeamWebhooks({
    isPaired: () => isPaired(this.#start.settings.cloud),
    link: () => this.#link,
    isStarted: () => this.#isStarted,
  });

  /** Resolves when jobs may continue. */
  async prepare(): Promise<void> {
    await this.#paired?.prepare();
  }

  /** The jobs are back. */
  noteStart(): void {
    this.#isStarted = true;
    this.#link?.refresh();
    void this.#paired?.work(() => this.#link?.reconnect());
  }

  /**
   * Makes the home local again. Waits until the control plane has everything and has deleted its log; `isAbandoned`:
   * without it. Nothing is done for a home that is local.
   */
  async leaveTeam(isAbandoned: boolean): Promise<void> {
    const pairedHome = this.#paired;
    if (pairedHome === null) return;
    if (!(await pairedHome.leave(isAbandoned))) return;
    this.#paired = null;
    this.#blobs = null;
    this.reach.backlog.look();
    this.#start.log.info({ isAbandoned }, 'the state of this home is on this machine alone again');
  }

  /** The same for a caller who does not wait for longer than 5 s; it continues. */
  async requestLeave(isAbandoned: boolean): Promise<LeaveTeamReply> {
    const unsent = this.#paired?.status.unsent.entries ?? 0;
    if (isAbandoned) await this.leaveTeam(true);
    else {
      this.#leaving ??= this.leaveTeam(false).finally(() => {
        this.#leaving = null;
      });
      await raceDeadline(this.#start.clock, LEAVE_MS, this.#leaving, () => undefined);
    }
    return { left: this.#paired === null, unsent };
  }

  /** The stop that follows gives the home up, so that another runner continues its jobs at once. */
  handOver(when: HandOver): void {
    const isOfPool = this.#pairing !== null && this.#pairing.runner.ownerId === null;
    this.#handsOver ||= when === 'always' || isOfPool;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const handsOver = this.#handsOver;
    await Promise.all([this.#adopted?.close(handsOver), this.#paired?.finish(handsOver)]);
    if (handsOver) await this.#paired?.release();
    this.#drop();
  }

  #listAdopted(): Pick<CloudStatus, 'adopted'> {
    const adoptions = this.#adopted?.list() ?? [];
    return adoptions.length === 0 ? {} : { adopted: adoptions };
  }

  #drop(): void {
    for (const part of [this.#link, this.#overlay]) part?.close();
    this.#link = null;
    this.#overlay = null;
    this.#secret = '';
  }

  /** Does what the settings say now. Never rejects. */
  async #follow(): Promise<void> {
    const { settings, log } = this.#start;
    const wasPaired = isPaired(this.#opened);
    // The name, the labels and whose jobs are taken are said at each connection.
    if (this.#isClosed || isDeepStrictEqual(this.#opened, settings.cloud)) return;
    const isLocal = !isPaired(settings.cloud);
    // The configuration was changed by hand: the home leaves in order, with the token that was.
    if (wasPaired && isLocal) await leaveAsConfigured(() => this.leaveTeam(false), log);
    this.#drop();
    this.#opened = { ...settings.cloud };
    if (!wasPaired && isLocal) return;
    this.reach.begin();
    try {
      await this.#readPairing();
      if (!isLocal) await this.#connect();
    } catch (err) {
      this.reach.connectionIs('refused', toErrorMessage(err));
      log.error({ err }, 'the connection to the control plane could not be opened');
    }
  }

  async #readPairing(): Promise<void> {
    const { settings } = this.#start;
    this.#pairing = isPaired(settings.cloud)
      ? await readPairing(settings.home, settings.cloud.url)
      : null;
    this.#nameTenant();
  }

  #nameTenant(): void {
    const { tenant } = this.#start.settings;
    tenant.id = this.#pairing === null ? this.#soloId : `team-${this.#pairing.team.id}`;
  }

  async #connect(): Promise<void> {
    const { settings, clock, ids, log } = this.#start;
    const parts = this.#parts;
    const homeId = await readOwnHomeId(settings.home);
    if (parts === null || homeId === undefined) return;
    this.#repositories = (await parts.runner.jobCounts({})).repos;
    const pairedHome = await this.#takeUpHome();
    pairedHome.readJobs = (actors) => parts.runner.readJobs(actors);
    if (parts.adoption !== null) this.#adopted ??= await this.#openAdopted(parts.adoption);
    this.#overlay = await openTeamOverlayLink(this.#start, parts);
    const { CloudLink: Link } = await import('../../cloudLink/cloudLink.ts');
    if (this.#isClosed) return;
    this.#secret = ids.secret();
    const { url, token } = this.#opened;
    this.#start.secrets.add([token, this.#secret]);
    this.#link = new Link({
      url,
      agent: URL.canParse(url) ? readCurrentNetwork().createSocketAgent(new URL(url)) : null,
      token,
      program: settings.version,
      store: STORE_VERSION,
      homeId,
      instance: ids.next(),
      describe: () =>
        describeRunner({
          settings,
          pairing: this.#pairing,
          parts,
          repositories: this.#repositories,
          takesOver: this.#adopted !== null,
        }),
      load: () => readRunnerLoad(parts, { isClosed: this.#isClosed, isStarted: this.#isStarted }),
      lease: pairedHome.acting.lease,
      jobs: parts.runner,
      app: { answer: parts.answer, token: parts.token, secret: this.#secret },
      webhooks: this.webhooks.connect(parts.runner),
      homeLog: () => this.#paired?.socketLog ?? null,
      saveToken: (next) => this.#saveToken(parts, next),
      onWelcome: (welcome) => this.#takeWelcome(url, welcome),
      onOverlay: () => this.#overlay?.look(),
      onAdopt: async (offer) =>
        (await this.#adopted?.adopt(offer)) ?? { ok: false, reason: 'It takes over no homes.' },
      onConnection: (connection, problem) => this.reach.connectionIs(connection, problem),
      clock,
      random: Math.random,
      log,
    });
  }

  /** A home that is paired while its runner works gets its log as soon as the link exists. */
  async #takeUpHome(): Promise<PairedHome> {
    if (this.#paired !== null) return this.#paired;
    const { openPairedHome } = await import('./homes/openPairedHome.ts');
    const pairedHome = openPairedHome(this.#start);
    followPairedHome(this.#start, this.reach, pairedHome);
    this.#paired = pairedHome;
    this.#blobs = null;
    await pairedHome.begin(this.#store);
    if (this.#isStarted) void pairedHome.work(() => this.#link?.reconnect());
    return pairedHome;
  }

  async #openAdopted(parts: AdoptionParts): Promise<AdoptedHomes> {
    const { openAdoptedHomes } = await import('../adoption/openAdoptedHomes.ts');
    const adoptedHomes = openAdoptedHomes(this.#start, {
      ...parts,
      refuse: (owner) => this.#refuseJobsFrom(owner?.userId ?? null),
      onChange: () => this.#link?.refresh(),
    });
    await adoptedHomes.resume();
    return adoptedHomes;
  }

  #takeWelcome(url: string, { team, runner }: Pick<Pairing, 'team' | 'runner'>): void {
    const { settings, ids, log } = this.#start;
    const { cloud } = settings;
    const accept = resolveAccept(cloud, this.#pairing);
    this.#pairing = { url, team, runner };
    this.#nameTenant();
    // At its first connection a runner of the pool does not know yet that it is one, and has said otherwise.
    if (resolveAccept(cloud, this.#pairing) !== accept) this.#link?.reconnect();
    savePairing(settings.home, this.#pairing, ids).catch((err: unknown) =>
      log.warn({ err }, 'the name of the team could not be kept'),
    );
  }

  async #saveToken({ config }: ConnectionParts, token: string): Promise<void> {
    this.#start.secrets.add([token]);
    // The link knows it already: the change opens no other one.
    this.#opened = { ...this.#opened, token };
    await config.change({ cloud: { token } }, null);
  }

  #refuseJobsFrom(userId: string | null): string | null {
    return refuseJobsFrom(userId, this.#start.settings.cloud, this.#pairing);
  }
}
