import type { QuotaHit } from '../../../../src/base/agents/quotaKinds.ts';
import { NOW } from './answerRows.ts';

/** The words of an agent, and where they were seen. */
export interface WordRow {
  words: string;
  source: string;
  hit: QuotaHit | null;
}

const H = 3_600_000;
const M = 60_000;
const CLAUDE = 'https://github.com/anthropics/claude-code/issues';
const CODEX = 'https://github.com/openai/codex/issues';
const OPENCODE = 'https://github.com/anomalyco/opencode/issues';
const GEMINI = 'https://github.com/google-gemini/gemini-cli/issues';

/** The agent is in Berlin: UTC+1 in November. */
export const ZONE = 'Europe/Berlin';

export const WORD_ROWS: readonly WordRow[] = [
  {
    words: "You've hit your session limit · resets 8:30pm (Asia/Tokyo)",
    source: `${CLAUDE}/77082`,
    hit: { kind: 'exhausted', window: '5 hours', resetsAt: Date.UTC(2026, 10, 23, 11, 30) },
  },
  {
    words: "You've hit your session limit · resets 3pm (America/Bogota)",
    source: `${CLAUDE}/85572`,
    hit: { kind: 'exhausted', window: '5 hours', resetsAt: Date.UTC(2026, 10, 22, 20) },
  },
  {
    words: "You've hit your weekly limit · resets Nov 24 at 7pm",
    source: `${CLAUDE}/92834`,
    hit: { kind: 'exhausted', window: '7 days', resetsAt: Date.UTC(2026, 10, 24, 18) },
  },
  {
    words: "You've hit your weekly limit · resets Nov 27, 2am (UTC)",
    source: `${CLAUDE}/81647`,
    hit: { kind: 'exhausted', window: '7 days', resetsAt: Date.UTC(2026, 10, 27, 2) },
  },
  {
    words: "You've hit your limit · resets 11pm (America/Anchorage)",
    source: `${CLAUDE}/19472`,
    hit: { kind: 'exhausted', window: null, resetsAt: Date.UTC(2026, 10, 23, 8) },
  },
  {
    words: 'Claude usage limit reached. Your limit will reset at 12am.',
    source: 'https://github.com/aniketkarne/CCAutoRenew/issues/3',
    hit: { kind: 'exhausted', window: null, resetsAt: Date.UTC(2026, 10, 22, 23) },
  },
  {
    words: `Claude AI usage limit reached|${(NOW + 2 * H) / 1_000}`,
    source: 'https://github.com/griffinwork40/agent-afk/pull/490',
    hit: { kind: 'exhausted', window: null, resetsAt: NOW + 2 * H },
  },
  {
    words:
      'API Error: Server is temporarily limiting requests (not your usage limit) · Rate limited',
    source: `${CLAUDE}/71505`,
    hit: { kind: 'throttled', window: null, resetsAt: null },
  },
  {
    words:
      'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    source: 'https://docs.llmgateway.io/troubleshooting/anthropic-529-overloaded',
    hit: { kind: 'overloaded', window: null, resetsAt: null },
  },
  {
    words: 'Credit balance is too low',
    source: `${CLAUDE}/66314`,
    hit: { kind: 'billing', window: null, resetsAt: null },
  },
  {
    words:
      "You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again in 5 days 22 hours 11 minutes.",
    source: `${CODEX}/3899`,
    hit: { kind: 'exhausted', window: null, resetsAt: NOW + (5 * 24 + 22) * H + 11 * M },
  },
  {
    words:
      "You've hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/codex/settings/usage to purchase more credits or try again at Nov 25th, 2026 8:41 AM.",
    source: `${CODEX}/28391`,
    hit: { kind: 'exhausted', window: null, resetsAt: Date.UTC(2026, 10, 25, 7, 41) },
  },
  {
    words: "You've hit your usage limit... or try again at Nov 27, 2026, 7:38 AM",
    source: `${CODEX}/39603`,
    hit: { kind: 'exhausted', window: null, resetsAt: Date.UTC(2026, 10, 27, 6, 38) },
  },
  {
    words: "You've hit your usage limit. Try again later.",
    source: 'https://github.com/borawong/AiMaMi/issues/42',
    hit: { kind: 'exhausted', window: null, resetsAt: null },
  },
  {
    words: 'You have exhausted your capacity on this model. Your quota will reset after 8h44m7s.',
    source: `${GEMINI}/13004`,
    hit: { kind: 'exhausted', window: null, resetsAt: NOW + 8 * H + 44 * M + 7_000 },
  },
  {
    words: 'You have exhausted your capacity on this model. Your quota will reset after 5s.',
    source: `${GEMINI}/22107`,
    hit: { kind: 'throttled', window: null, resetsAt: NOW + 5_000 },
  },
  {
    words: '[API Error: You have exhausted your daily quota on this model.]',
    source: `${GEMINI}/15576`,
    hit: { kind: 'exhausted', window: 'day', resetsAt: null },
  },
  {
    words:
      'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.',
    source: 'https://github.com/continuedev/continue/issues/11771',
    hit: { kind: 'billing', window: null, resetsAt: null },
  },
  {
    words:
      'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.',
    source: `${GEMINI}/8414`,
    hit: { kind: 'exhausted', window: null, resetsAt: null },
  },
  {
    words: 'Resource has been exhausted (e.g. check quota). (reset after 24h)',
    source: 'https://github.com/diegosouzapw/OmniRoute/issues/8060',
    hit: { kind: 'exhausted', window: null, resetsAt: NOW + 24 * H },
  },
  {
    words: '5-hour usage limit reached. Resets in 4hr 10min.',
    source: `${OPENCODE}/47804`,
    hit: { kind: 'exhausted', window: '5 hours', resetsAt: NOW + 4 * H + 10 * M },
  },
  {
    words:
      'weekly usage limit reached. It will reset in 5 days 10 hours. To continue using this model now, enable usage from your available balance',
    source: `${OPENCODE}/49170`,
    hit: { kind: 'exhausted', window: '7 days', resetsAt: NOW + (5 * 24 + 10) * H },
  },
  {
    words: 'Free usage exceeded, subscribe to Go',
    source: `${OPENCODE}/50093`,
    hit: { kind: 'exhausted', window: null, resetsAt: null },
  },
  {
    words:
      '429: {"type":"FreeUsageLimitError","message":"Rate limit exceeded. Please try again later."}',
    source: 'https://github.com/FishBottle7/opencode2dsh/issues/5',
    hit: { kind: 'exhausted', window: null, resetsAt: null },
  },
  {
    words: 'Provider is overloaded',
    source: 'https://github.com/anomalyco/opencode/blob/dev/packages/opencode/src/session/retry.ts',
    hit: { kind: 'overloaded', window: null, resetsAt: null },
  },
  {
    words: "You've hit your monthly spend limit · raise it at claude.ai/settings/usage",
    source: 'https://github.com/CocoRoF/geny-executor/releases/tag/v2.66.2',
    hit: { kind: 'billing', window: 'month', resetsAt: null },
  },
  {
    words: 'The tool failed: no such file',
    source: 'https://agentclientprotocol.com/protocol/tool-calls',
    hit: null,
  },
];
