import { isDeepStrictEqual } from 'node:util';
import type {
  Executor,
  Session,
  SessionNeed,
  SessionRequest,
  ToolForm,
} from '../contract/session/executor.ts';
import type { AgentChecks, AgentUse } from '../executors/process/agentState.ts';
import type { Clock } from '../base/time/clock.ts';
import { SvcError } from '../base/errors/errors.ts';
import type { PluginManifest } from '../contract/schema/runner/plugin.ts';
import type { PluginSettings, Settings } from '../contract/schema/runner/settings.ts';
import { BUILT_INS } from './builtInCatalogue.ts';
import type { BuiltInPlugin } from '../providers/rest/builtInPlugin.ts';
import type { PluginExecutor, PluginOf } from '../contract/runner/plugin.ts';
import { createGuardedRequest } from './guardedRequest.ts';
import { openBuiltIn } from './openBuiltIn.ts';
import { openPlugin } from './openPlugin.ts';

/** An alias with this model leaves the choice to the executor. */
const EXECUTORS_CHOICE = 'default';

/** What the model aliases ask of an executor, without duplicates. */
export function listAgentUses(
  { defaultProvider, aliases }: Settings['llm'],
  executorId: string,
): AgentUse[] {
  const uses = Object.values(aliases).map(
    ({ provider, model, reasoningEffort }): AgentUse => ({
      provider: provider ?? defaultProvider,
      model: model === EXECUTORS_CHOICE ? null : (model ?? null),
      reasoningEffort: reasoningEffort ?? null,
    }),
  );
  const byName = new Map(uses.map((use) => [`${use.provider} ${use.model}`, use]));
  return [...byName.values()].filter(({ provider }) => provider.split(':', 1)[0] === executorId);
}

export interface BuiltInExecutor extends Executor {
  healthcheck?: AgentChecks['healthcheck'] | undefined;
  /** What can be found out about an agent without sending a request. */
  state?: AgentChecks['state'] | undefined;
  configured?: AgentChecks['listConfigured'] | undefined;
  models?: PluginExecutor['models'] | undefined;
  login?: PluginExecutor['login'];
  /** Why it cannot be used (switched off, or wrong settings); null = it can. */
  problem: string | null;
}

type ExecutorPlugin = BuiltInPlugin<PluginOf<'executor'>>;

type OwnExecutor = PluginExecutor &
  Partial<AgentChecks> &
  Pick<Executor, 'chat' | 'cannotChat' | 'metering' | 'billing' | 'pool'>;

const isExecutor = (one: BuiltInPlugin): one is ExecutorPlugin => one.plugin.kind === 'executor';

const NOTHING_TO_END = (): Promise<number> => Promise.resolve(0);

const NO_CAPABILITIES = {
  steering: false,
  foldMidTurn: false,
  cancelsToolCalls: false,
  resume: false,
  skills: false,
  systemPrompt: false,
};

const pickExecutorNames = ({
  id,
  variants,
}: PluginManifest): Pick<Executor, 'id' | 'variants'> => ({
  id,
  ...(variants ? { variants } : {}),
});

/**
 * An executor that reports what is wrong with it when it is run, so that the others and the runner
 * continue.
 */
const createUnusableExecutor = (
  { manifest }: ExecutorPlugin,
  problem: string,
): BuiltInExecutor => ({
  ...pickExecutorNames(manifest),
  capabilities: manifest.capabilities ?? NO_CAPABILITIES,
  problem,
  lacks: () => problem.replace(/\.$/, ''),
  cannotChat: () => problem.replace(/\.$/, ''),
  run: (request) =>
    Promise.reject(
      new SvcError(
        'bad-argument',
        `Phase ${request.phase} asks for ${manifest.id}, which cannot be used. ${problem}`,
      ),
    ),
  endOrphans: NOTHING_TO_END,
});

async function openOneExecutor(
  one: ExecutorPlugin,
  clock: Clock,
  settings: PluginSettings = {},
): Promise<BuiltInExecutor> {
  const { manifest, plugin } = one;
  const openedBuiltIn = await openBuiltIn(manifest, settings, (config) => {
    const request = createGuardedRequest(manifest.id, settings.allowHosts ?? []);
    return openPlugin(plugin, manifest, { config, clock, request });
  });
  const { configured: isConfigured, problem, service: executor } = openedBuiltIn;
  if (!isConfigured)
    return createUnusableExecutor(
      one,
      `The plugin ${manifest.id} is disabled: plugins.installed.${manifest.id}.enabled.`,
    );
  if (executor === null) return createUnusableExecutor(one, problem ?? '');
  const {
    capabilities,
    endOrphans,
    healthcheck,
    models,
    login,
    state,
    listConfigured: configured,
    chat,
    cannotChat,
    metering,
    billing,
    pool,
  }: OwnExecutor = executor;
  return {
    ...pickExecutorNames(manifest),
    problem: null,
    capabilities,
    run: (request) => executor.run(request),
    endOrphans: endOrphans ? (prefix) => endOrphans.call(executor, prefix) : NOTHING_TO_END,
    ...(executor.toolForm ? { toolForm: (provider) => resolveToolForm(executor, provider) } : {}),
    ...(executor.lacks ? { lacks: (need) => executor.lacks?.(need) ?? null } : {}),
    ...(metering ? { metering: (provider: string) => metering.call(executor, provider) } : {}),
    ...(billing ? { billing: (need: SessionNeed) => billing.call(executor, need) } : {}),
    ...(pool ? { pool: (need: SessionNeed) => pool.call(executor, need) } : {}),
    ...(healthcheck ? { healthcheck: (uses) => healthcheck.call(executor, uses) } : {}),
    ...(state ? { state: (use) => state.call(executor, use) } : {}),
    ...(configured ? { configured: () => configured.call(executor) } : {}),
    ...(chat ? { chat: (request) => chat.call(executor, request) } : {}),
    ...(cannotChat ? { cannotChat: (need) => cannotChat.call(executor, need) } : {}),
    ...(models ? { models: () => models.call(executor) } : {}),
    login,
  };
}

/** Default for executors that declare no tool form: a program that runs `svc tool`. */
const AS_PROGRAM: ToolForm = { prefix: '', offered: false };

const resolveToolForm = (executor: Pick<Executor, 'toolForm'>, provider: string): ToolForm =>
  executor.toolForm?.(provider) ?? AS_PROGRAM;

/** The current state of one executor. A running session keeps the one that began it. */
export class LiveExecutor implements BuiltInExecutor {
  readonly #one: ExecutorPlugin;
  readonly #clock: Clock;
  #settings: PluginSettings | undefined;
  #now: BuiltInExecutor;

  private constructor(
    one: ExecutorPlugin,
    clock: Clock,
    settings: PluginSettings | undefined,
    now: BuiltInExecutor,
  ) {
    this.#one = one;
    this.#clock = clock;
    this.#settings = structuredClone(settings);
    this.#now = now;
  }

  static async open(
    one: ExecutorPlugin,
    clock: Clock,
    settings: PluginSettings | undefined,
  ): Promise<LiveExecutor> {
    return new LiveExecutor(one, clock, settings, await openOneExecutor(one, clock, settings));
  }

  /** Reopens it for new sessions if its settings have changed. Never rejects. */
  async takeUp(settings: PluginSettings | undefined): Promise<void> {
    if (isDeepStrictEqual(settings, this.#settings)) return;
    this.#now = await openOneExecutor(this.#one, this.#clock, settings);
    this.#settings = structuredClone(settings);
  }

  get id() {
    return this.#now.id;
  }
  get variants(): readonly string[] {
    return this.#now.variants ?? [];
  }
  get capabilities() {
    return this.#now.capabilities;
  }
  get problem() {
    return this.#now.problem;
  }
  get healthcheck() {
    return this.#now.healthcheck;
  }
  get models() {
    return this.#now.models;
  }
  get login() {
    return this.#now.login;
  }
  toolForm(provider: string): ToolForm {
    return resolveToolForm(this.#now, provider);
  }
  get configured() {
    return this.#now.configured;
  }
  get state() {
    return this.#now.state;
  }
  lacks(need: SessionNeed): string | null {
    return this.#now.lacks?.(need) ?? null;
  }
  get metering() {
    return this.#now.metering;
  }
  get billing() {
    return this.#now.billing;
  }
  get pool() {
    return this.#now.pool;
  }
  get chat() {
    return this.#now.chat;
  }
  cannotChat(need: SessionNeed): string | null {
    return this.#now.cannotChat?.(need) ?? null;
  }
  run(request: SessionRequest): Promise<Session> {
    return this.#now.run(request);
  }
  endOrphans(markerPrefix: string): Promise<number> {
    return this.#now.endOrphans(markerPrefix);
  }
}

/** The executors that are part of svc; `settings` are `plugins.installed`. Never rejects. */
export const openBuiltInExecutors = ({
  clock,
  settings,
}: {
  clock: Clock;
  settings: Readonly<Record<string, PluginSettings>>;
}): Promise<LiveExecutor[]> =>
  Promise.all(
    BUILT_INS.filter(isExecutor).map((one) =>
      LiveExecutor.open(one, clock, settings[one.manifest.id]),
    ),
  );

export { formatAgentState } from '../executors/process/agentState.ts';
export { createLackFinder } from '../executors/process/createLackFinder.ts';
