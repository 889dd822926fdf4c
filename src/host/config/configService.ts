import { isDeepStrictEqual } from 'node:util';
import { type FieldError, SvcError } from '../../base/errors/errors.ts';
import type {
  ConfigPatch,
  ConfigReply,
  ConfigSchemaReply,
} from '../../contract/schema/runner/config.ts';
import type { CheckSettings } from '../../contract/schema/runner/plugin.ts';
import { applyChangesToText, EMPTY, type OpenedConfig } from './file/applyChangesToText.ts';
import { type Change, derivePatchChanges, toJsonPointer } from './file/derivePatchChanges.ts';
import { fillConfigDefaults } from './mistakes/checkConfig.ts';
import {
  CHANGED_MEANWHILE,
  computeConfigEtag,
  readConfigText,
  writeConfigText,
} from './file/configFile.ts';
import { type Config, buildConfigJsonSchema } from './configSchema.ts';
import { hideConfigSecrets, collectDeclaredSecrets, type PluginSettingsOf } from './configView.ts';
import { parseConfigText } from './file/configText.ts';
import { DEFAULT_DECISION_MODEL } from './settings/resolveDecisionSettings.ts';
import { LIVE_KEYS, NEEDS_NO_RESTART } from './settings/liveSettings.ts';
import { DEFAULT_GATE_BLOCKS, resolveSettings } from './settings/loadSettings.ts';
import { listConfigValues } from './listConfigValues.ts';
import { listDifferingKeys, listKeysNeedingRestart } from './listDifferingKeys.ts';
import {
  type ConfigPlace,
  resolveConfigPlace,
  buildDefaultFolders,
  type SettingsSources,
} from './home/resolveConfigPlace.ts';
import { findNewPluginMistakes, listPluginWarnings } from './mistakes/pluginMistakes.ts';
import { collectConfigSecrets, inspectText, readConfigFileText } from './file/readConfig.ts';

export interface ConfigServiceOptions {
  sources: SettingsSources;
  createDraftName(): string;
  /**
   * The config that the runner works with; default: no runner is asked, and nothing needs a
   * restart.
   */
  started?: Config;
  /** Default: no manifest is known. */
  pluginSettings?: PluginSettingsOf;
  /** Checks settings of plugins; default: no manifest is known, and nothing is checked. */
  checkSettings?: CheckSettings;
  /** Mistakes that only the creation of a job finds, by place; default: nothing is checked. */
  checkSchedules?(rules: Config['schedules']): Promise<FieldError[]>;
  /** Time of changes, epoch ms; default: the system's. */
  now?(): number;
  /** Whether a runner applies the keys of `isLive`; default: nothing before its next start. */
  isLive?: boolean;
  /**
   * The file holds this now: the runner applies what it can. Called before the reply, once for
   * each version of the file.
   */
  onConfig?(config: Config, change: ConfigChange): void | Promise<void>;
  /** Gets the secrets of `started`, and of every config that is read or written. */
  onSecrets?(secrets: readonly string[]): void;
}

/** Keys of the file that have another value than before, joined by dots; never values. */
export interface ConfigChange {
  live: string[];
  restart: string[];
  /** The file was found changed: no call of {@link ConfigService.change} has done it. */
  byHand: boolean;
}

export interface ConfigState {
  etag: string;
  reply: ConfigReply;
}

/** Coach mode is switched off without a time. */
const switchesCoachModeOff = (changes: readonly Change[]): boolean =>
  changes.some(({ path, value }) => path.join('.') === 'coachMode.enabled' && value === false) &&
  !changes.some(({ path }) => path.join('.') === 'coachMode.graduatedAt');

const createInvalidChangeError = (errors: FieldError[]): SvcError =>
  new SvcError('invalid', 'The change is not valid. The configuration was not changed.', {
    errors,
  });

/** Most versions of the file that a change to whatever it is now is applied to, while others write it too. */
const ATTEMPTS = 3;

/** Shows the config file without its secrets, and changes it so that nothing else in it is lost. */
export class ConfigService {
  readonly #options: ConfigServiceOptions;
  readonly #place: ConfigPlace;
  readonly #readSettings: PluginSettingsOf = (plugin) =>
    this.#options.pluginSettings?.(plugin) ?? null;
  readonly #checkSettings: CheckSettings = (plugin, values) =>
    this.#options.checkSettings?.(plugin, values) ?? [];
  #last: Promise<unknown> = Promise.resolve();
  /** Version of the file that was last reported; null = none yet. */
  #notified: string | null = null;
  /** What was last reported; at first what the runner was started with. */
  #reported: Config | undefined;
  /** Ends when what was last reported is in force. */
  #reporting: Promise<void> = Promise.resolve();
  /** Version that this service is about to write, so not an edit by hand; null = none. */
  #ownVersion: string | null = null;
  /** Number of versions that this service has written. */
  #writes = 0;

  /** Throws SvcError `bad-argument` for an environment variable that cannot be used. */
  constructor(options: ConfigServiceOptions) {
    this.#options = options;
    this.#place = resolveConfigPlace(options.sources);
    this.#reported = options.started;
    if (options.started !== undefined) this.#note(options.started);
  }

  /** What the file may hold, and which keys apply without a restart. */
  schema(): ConfigSchemaReply {
    return {
      schema: buildConfigJsonSchema(),
      live: [...LIVE_KEYS, ...NEEDS_NO_RESTART],
    };
  }

  /**
   * Throws SvcError `config-invalid`: with line and column while the file has mistakes, and while one that a
   * runner works with is gone.
   */
  async read(): Promise<ConfigState> {
    return this.#state(await this.#open());
  }

  /**
   * Applies a merge patch to the version `ifMatch` of the file (the value of If-Match; null = to
   * whatever it is now) and writes it whole. Throws SvcError `precondition-failed`, `invalid` with
   * JSON pointers, `store-failed`; the file is then as it was.
   */
  change(patch: ConfigPatch, ifMatch: string | null): Promise<ConfigState> {
    // In sequence: of two changes to the same version only one may win.
    const change = this.#last.then(() => this.#change(patch, ifMatch));
    this.#last = change.catch(() => {});
    return change;
  }

  async #change(patch: ConfigPatch, ifMatch: string | null): Promise<ConfigState> {
    const tags = ifMatch?.split(',').map((tag) => tag.trim()) ?? ['*'];
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#changeNow(patch, tags);
      } catch (error) {
        const isOther = error instanceof SvcError && error.code === 'precondition-failed';
        if (!isOther || !tags.includes('*') || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #changeNow(patch: ConfigPatch, tags: readonly string[]): Promise<ConfigState> {
    const now = await this.#open();
    if (!tags.includes(computeConfigEtag(now.raw)) && !tags.includes('*')) {
      throw new SvcError('precondition-failed', CHANGED_MEANWHILE);
    }
    const { changes, errors } = derivePatchChanges(patch, this.#view(now.config));
    if (switchesCoachModeOff(changes)) {
      const at = new Date(this.#options.now?.() ?? Date.now()).toISOString();
      changes.push({ path: ['coachMode', 'graduatedAt'], value: at });
    }
    if (errors.length > 0) throw createInvalidChangeError(errors);
    const raw = applyChangesToText(now, changes);
    if (changes.length === 0 || raw === (now.raw ?? EMPTY)) return this.#state(now);
    const inspection = inspectText(
      parseConfigText(this.#place.file, raw),
      this.#options.sources.flags.host,
    );
    if ('mistakes' in inspection) {
      throw createInvalidChangeError(
        inspection.mistakes.map(({ path, message }) => ({ pointer: toJsonPointer(path), message })),
      );
    }
    const mistakes = findNewPluginMistakes(
      { before: now.config, after: inspection.config, changes },
      this.#checkSettings,
    );
    mistakes.push(...(await this.#findScheduleMistakes(now.config, inspection.config)));
    if (mistakes.length > 0) throw createInvalidChangeError(mistakes);
    this.#note(inspection.config);
    const draft = this.#options.createDraftName();
    this.#ownVersion = computeConfigEtag(raw);
    await writeConfigText(this.#place.file, { was: now.raw, text: raw, draft });
    this.#writes += 1;
    await this.#tell(raw, inspection.config);
    return this.#state({ raw, read: inspection, config: inspection.config });
  }

  /** Of schedules that the change brings; those that are already in the file must not block it. */
  async #findScheduleMistakes(before: Config, after: Config): Promise<FieldError[]> {
    const isNew = (schedule: Config['schedules'][number]) =>
      !before.schedules.some((earlierSchedule) => isDeepStrictEqual(earlierSchedule, schedule));
    if (!after.schedules.some(isNew)) return [];
    const mistakes = (await this.#options.checkSchedules?.(after.schedules)) ?? [];
    return mistakes.filter(({ pointer }) => {
      const schedule = after.schedules[Number(pointer.split('/')[2])];
      return schedule !== undefined && isNew(schedule);
    });
  }

  async #open(): Promise<OpenedConfig> {
    const raw = await this.#readNewest();
    const read =
      raw === null
        ? null
        : readConfigFileText(this.#place.file, raw, this.#options.sources.flags.host);
    const config = read?.config ?? fillConfigDefaults({});
    if (raw === null) this.#refuseLoss(config);
    this.#note(config);
    await this.#tell(raw, config);
    return { raw, read, config };
  }

  /** Reads again what a change has replaced meanwhile: the older version must not be put in force after it. */
  async #readNewest(): Promise<string | null> {
    for (;;) {
      const writes = this.#writes;
      const raw = await readConfigText(this.#place.file);
      if (writes === this.#writes) return raw;
    }
  }

  /** A file that goes while a runner runs must not take caps and rules of its jobs with it. */
  #refuseLoss(defaults: Config): void {
    if (this.#options.isLive !== true || isDeepStrictEqual(this.#reported, defaults)) return;
    throw new SvcError(
      'config-invalid',
      `The configuration file ${this.#place.file} is gone. The runner keeps the last configuration. Restore the file, or start with the defaults: svc restart.`,
    );
  }

  /** Resolves when the version is in force, also where another call has reported it: that one fails where this fails. */
  async #tell(raw: string | null, config: Config): Promise<void> {
    const version = computeConfigEtag(raw);
    if (version === this.#notified) return this.#reporting.catch(() => {});
    this.#notified = version;
    const byHand = version !== this.#ownVersion;
    if (!byHand) this.#ownVersion = null;
    this.#reporting = this.#report(config, byHand);
    return this.#reporting;
  }

  async #report(config: Config, byHand: boolean): Promise<void> {
    const before = this.#reported ?? config;
    this.#reported = config;
    const restart = listKeysNeedingRestart(before, config, this.#options.isLive ?? false);
    const live = listDifferingKeys(before, config).filter((key) => !restart.includes(key));
    await this.#options.onConfig?.(config, { live, restart, byHand });
  }

  #view(config: Config): Record<string, unknown> {
    return hideConfigSecrets(config, this.#readSettings);
  }

  #note(config: Config): void {
    this.#options.onSecrets?.([
      ...collectConfigSecrets(config),
      ...collectDeclaredSecrets(config, this.#readSettings),
    ]);
  }

  #state({ raw, read, config }: OpenedConfig): ConfigState {
    const { home, file, environment, hostName } = this.#place;
    const { port, host } = this.#options.sources.flags;
    const folders = buildDefaultFolders(home);
    const view = this.#view(config);
    const values = listConfigValues({
      read,
      view,
      flags: {
        ...(port === undefined ? {} : { 'server.port': { value: port, flag: '--port' } }),
        ...(host === undefined ? {} : { 'server.host': { value: host, flag: '--host' } }),
      },
      environment: {
        ...environment.decision,
        ...(environment.gateBlocks === null
          ? {}
          : {
              'runner.gateBlocks': {
                value: environment.gateBlocks,
                variable: 'COMPLETION_GATE_MAX_RETRIES',
              },
            }),
      },
      derived: {
        'paths.workingDir': folders.workingDir,
        'intelligence.dir': folders.intelligenceDir,
        'tenant.displayName': hostName,
        'runner.gateBlocks': DEFAULT_GATE_BLOCKS,
        'tenant.overlay.kind': 'none',
        'decision.mode': 'off',
        'decision.model': DEFAULT_DECISION_MODEL,
      },
    });
    return {
      etag: computeConfigEtag(raw),
      reply: {
        file,
        config: view,
        values,
        warnings: [
          ...(read?.warnings ?? []),
          ...resolveSettings(config, this.#options.sources).warnings,
          ...listPluginWarnings(config, this.#checkSettings),
        ],
        restart:
          this.#options.started === undefined
            ? []
            : listKeysNeedingRestart(this.#options.started, config, this.#options.isLive ?? false),
      },
    };
  }
}
