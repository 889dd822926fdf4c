import type { PluginView } from '../../src/contract/schema/runner/plugin.ts';

export const KINDS: readonly (readonly [kind: PluginView['kind'], says: string])[] = [
  ['executor', 'Agents'],
  ['scm', 'Forges'],
  ['tracker', 'Trackers'],
  ['decider', 'Deciders'],
  ['observability', 'Logs and traces'],
  [null, 'Others'],
];

export const HEALTH: Readonly<
  Record<PluginView['health']['state'], { tone: string; says: string }>
> = {
  healthy: { tone: 'good', says: 'healthy' },
  unhealthy: { tone: 'bad', says: 'unhealthy' },
  unchecked: { tone: '', says: 'not checked' },
  disabled: { tone: '', says: 'off' },
};

const CAPABILITIES: Readonly<Record<string, string>> = {
  steering: 'takes messages while it works',
  foldMidTurn: 'within a turn',
  cancelsToolCalls: 'cancels tool calls',
  resume: 'continues after a crash',
  skills: 'loads skills',
  systemPrompt: 'takes a system prompt',
  holdsAllowlist: 'holds lists of tools',
  stopsBetweenCalls: 'stops between calls',
};

export const describeCapabilities = ({ capabilities }: PluginView): string[] => {
  const able = Object.entries(capabilities ?? {});
  const chat = capabilities?.chat ?? 'none';
  return [
    ...able.flatMap(([name, value]) => {
      const says = CAPABILITIES[name];
      return value === true && says !== undefined ? [says] : [];
    }),
    ...(chat === 'none' ? [] : ['holds plan-mode chats']),
  ];
};

export const describePluginOrigin = ({ origin, version }: PluginView): string =>
  origin === 'built-in'
    ? 'part of svc'
    : origin === 'leftover'
      ? 'not installed, only its settings are left'
      : `installed, version ${version}`;
