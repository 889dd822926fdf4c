import { DEFAULT_RETENTION } from '../src/base/settings/retention.ts';
import { NO_SANDBOX } from '../src/base/agents/sandboxProfiles.ts';
import {
  DEFAULT_CALL_LIMITS,
  DEFAULT_LOOP_LIMITS,
  DEFAULT_START_LIMIT,
} from '../src/base/limits/loopLimits.ts';
import { join } from 'node:path';
import { fillConfigDefaults } from '../src/host/config/mistakes/checkConfig.ts';
import { resolveDecisionSettings } from '../src/host/config/settings/resolveDecisionSettings.ts';
import type { Settings } from '../src/contract/schema/runner/settings.ts';

/** Slots: more than any bench has jobs at work, so that none of them waits for another. */
const SLOTS = 10_000;

export const benchSettings = (home: string): Settings => ({
  home,
  configFile: join(home, 'config.json'),
  version: '0.0.0-bench',
  paths: {
    workingDir: join(home, 'work'),
    stateDb: join(home, 'state.db'),
    tokenFile: join(home, 'runner.token'),
    blobs: join(home, 'blobs'),
    intelligenceDir: join(home, 'intelligence'),
  },
  baseIntelligence: join(home, 'overlay'),
  tenant: { id: 'solo-bench', displayName: 'Bench', overlay: { kind: 'none' } },
  cloud: {
    url: '',
    token: '',
    name: 'here',
    labels: [],
    accept: null,
    lostWork: 'continue',
    wipRef: false,
    adoptSlots: 0,
  },
  llm: { defaultProvider: 'speaker', aliases: {} },
  runner: {
    maxConcurrentJobs: SLOTS,
    sessionMinutes: 60,
    sessionOutputBytes: 16 * 1024 * 1024,
    stopGraceSeconds: 1,
    minFreeDiskMb: 0,
    gateBlocks: 5,
    ...NO_SANDBOX,
  },
  server: { host: '127.0.0.1', port: 0, auth: 'auto' },
  forges: { local: { repos: {} } },
  mode: 'local',
  coordination: { maxParallelSubRuns: null },
  plugins: {},
  coachMode: { enabled: true },
  intake: { toolsEnabled: true },
  invariants: [],
  retention: { everyMs: null, ...DEFAULT_RETENTION },
  backup: { everyMs: null, folder: null, copies: 1, work: 'none' },
  noProgress: {
    laps: DEFAULT_LOOP_LIMITS,
    starts: DEFAULT_START_LIMIT,
    session: DEFAULT_CALL_LIMITS,
  },
  guardrails: { enabled: true, rules: [] },
  proposals: { routing: { strategy: 'path' } },
  budgets: { prices: [], caps: {}, headlessFactor: 1, unpriced: { input: 15, output: 75 } },
  decision: resolveDecisionSettings(fillConfigDefaults({}).decision, {}),
  mcp: { servers: {}, inheritClaude: false, claudeFile: '/nowhere/.claude.json' },
});
