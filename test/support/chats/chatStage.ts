import type { Tables } from '../../../src/contract/records/tables.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import { type OpenStore, openStore } from '../../../src/jobs/store/openStore.ts';
import type { IntakeSink, NumberedFrame } from '../../../src/contract/planning/intake.ts';
import type { Executor } from '../../../src/contract/session/executor.ts';
import { createChooser } from '../../../src/intake/chatExecutor.ts';
import { createIntake, type RunningIntake } from '../../../src/intake/intakeService.ts';
import type { IntakeParts } from '../../../src/intake/intakeParts.ts';
import type { TurnAccount } from '../../../src/intake/turnAccount.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import type { Ids } from '../../../src/base/system/ids/ids.ts';
import { KernelHandle } from '../../../src/kernel/kernelHandle.ts';
import type { IntakeBody } from '../../../src/contract/schema/planning/intake.ts';
import { createLedger } from '../../../src/policy/usage/ledger.ts';
import type { IntakeFrame } from '../../../src/contract/schema/planning/intakeFrames.ts';
import { SimulatedClock } from '../charts/simulatedClock.ts';
import { type ChatScript, ScriptedChats } from './scriptedChat.ts';

export const CHAT = 'chat-1';
export const PIN = { slug: 'shop', forge: 'local', ref: 'main', commit: 'c'.repeat(40) };

/** One look-up that finds what it is asked for. */
const parts = (): IntakeParts => ({
  systemPrompt: async () => 'You look and change nothing.',
  lookups: ({ onPinned, pins }) => [
    {
      name: 'scm_read_file',
      description: 'Reads a file.',
      inputSchema: { type: 'object' },
      describeTarget: ({ path }) => String(path),
      async find({ path, trust = 'own', text = `1\ttext of ${path}` }) {
        if (path === 'missing.ts') throw new SvcError('not-found', 'shop has no file missing.ts.');
        if (pins.length === 0) await onPinned(PIN);
        return {
          text: String(text),
          trust: trust === 'outside' ? 'outside' : 'own',
          repo: PIN.slug,
          commit: PIN.commit,
          path: String(path),
          fromLine: 1,
          toLine: 1,
        };
      },
    },
  ],
  citations: async (_scope, refs) =>
    refs.map((ref) => ({
      ref,
      verdict: 'exists',
      repo: PIN.slug,
      path: ref.split(':')[0] ?? ref,
      line: null,
      toLine: null,
      text: null,
      evidence: null,
    })),
  drift: async ({ slug, ref, commit }) => ({ repo: slug, ref, commit, behind: 0, changed: [] }),
  newest: async (pin) => ({ ...pin, commit: 'd'.repeat(40) }),
  fileLines: async () => {
    throw new SvcError('not-found', 'Nothing is pinned.');
  },
  readContextWindow: () => 200_000,
  runnable: async () => ({ workflows: [], broken: [], repositories: [] }),
});

const countingIds = (): Ids => {
  let next = 0;
  return { next: () => `id-${++next}`, secret: () => `secret-${++next}` };
};

/** Lets everything happen that waits for nothing outside. */
export const settleQueue = async (rounds = 30): Promise<void> => {
  for (let round = 0; round < rounds; round++)
    await new Promise((resolve) => setImmediate(resolve));
};

export class Reader implements IntakeSink {
  readonly got: NumberedFrame[] = [];
  ended = false;
  leave: () => void = () => undefined;

  frames(frames: readonly NumberedFrame[]): void {
    this.got.push(...frames);
  }

  end(): void {
    this.ended = true;
  }

  get types(): string[] {
    return this.got.map(({ frame }) => frame.type);
  }

  get text(): string {
    return this.got.map(({ frame }) => (frame.type === 'token' ? frame.text : '')).join('');
  }

  get last(): IntakeFrame | undefined {
    return this.got.at(-1)?.frame;
  }
}

const OPEN_ACCOUNT: TurnAccount = {
  enter: async () => undefined,
  findLimit: () => null,
  take: () => undefined,
  reportEnd: async ({ resetsAt }) => resetsAt,
};

export interface StageOptions {
  /** What the account of the model allows; default: all. */
  openTurnAccount?(id: string | null): TurnAccount;
  store?: OpenStore;
  toolsEnabled?: boolean;
  parts?: Partial<IntakeParts>;
  executor?: Executor;
  screen?(text: string): string;
  visible?(text: string): string;
  /** Why programs must not run unconfined; default: they may. */
  refusal?(executor: string): Promise<string | null>;
}

/** The service of plan-mode chats over a real store and kernel, with a scripted model. */
export class ChatStage {
  readonly clock = new SimulatedClock();
  readonly chats: ScriptedChats;
  readonly store: OpenStore;
  readonly intake: RunningIntake;
  readonly settings;
  /** Why no turn begins; null = they do. */
  readonly disk: { reason: string | null } = { reason: null };
  readonly errors: unknown[] = [];
  readonly #kernel = new KernelHandle<Tables>();
  readonly #stop: () => Promise<void>;
  readonly #start: () => Promise<unknown>;

  constructor(script: ChatScript, options: StageOptions = {}) {
    const { store = openStore({ file: ':memory:', pid: 1, now: 0 }), toolsEnabled = true } =
      options;
    this.chats = new ScriptedChats(script);
    this.store = store;
    this.settings = {
      llm: { defaultProvider: options.executor?.id ?? 'scripted', aliases: {} },
      intake: { toolsEnabled },
    };
    const kernel = createKernel({
      screen: null,
      store: store.durable,
      charts: [],
      ports: {},
      clock: this.clock,
    });
    this.#kernel.attach(kernel);
    this.#start = () => kernel.start();
    this.#stop = () => kernel.stop(0);
    this.intake = createIntake({
      kernel: this.#kernel,
      rows: store.rows,
      list: store.investigations,
      settings: this.settings,
      disk: this.disk,
      ledger: createLedger({
        rows: store.rows,
        writeRows: async (rows) => void (await this.#kernel.submit({ rows })),
        now: () => this.clock.now(),
        settings: { budgets: { prices: [] } },
        screen: (text) => text,
      }),
      clock: this.clock,
      ids: countingIds(),
      parts: { ...parts(), ...options.parts },
      screen: options.screen ?? ((text) => text),
      visible: options.visible ?? ((text) => text),
      choose: createChooser({
        settings: this.settings,
        executors: () => [options.executor ?? this.chats],
        fallback: async () => 'it has no chat',
        refusal: options.refusal ?? (async () => null),
      }),
      place: async () => ({
        stateDir: '/nowhere',
        env: {},
        marker: 'test',
        toolServer: () => Promise.reject(new Error('no program runs here')),
        sandbox: async () => ({ sandbox: undefined, lacks: null }),
        release: async () => undefined,
      }),
      openTurnAccount: options.openTurnAccount ?? (() => OPEN_ACCOUNT),
      onError: (_where, error) => void this.errors.push(error),
    });
  }

  static async open(script: ChatScript, options: StageOptions = {}): Promise<ChatStage> {
    const stage = new ChatStage(script, options);
    await stage.start();
    return stage;
  }

  async start(): Promise<void> {
    await this.#start();
    await this.intake.start();
  }

  async say(message: string, more: Partial<IntakeBody> = {}): Promise<Reader> {
    const { turn } = await this.intake.ask({ sessionId: CHAT, message, ...more });
    const reader = this.watch(null, turn);
    await settleQueue();
    return reader;
  }

  async answer(message: string, more: Partial<IntakeBody> = {}): Promise<Reader> {
    const reader = await this.say(message, more);
    while (!reader.ended) await settleQueue(1);
    return reader;
  }

  watch(after: string | null, turn: number | null = null): Reader {
    const reader = new Reader();
    reader.leave = this.intake.watch(CHAT, { after, turn }, reader);
    return reader;
  }

  async close(): Promise<void> {
    await this.intake.closeChats();
    await this.#stop();
  }
}
