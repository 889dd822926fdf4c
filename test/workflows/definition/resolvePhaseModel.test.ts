import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Settings } from '../../../src/contract/schema/runner/settings.ts';
import { parseWorkflow } from '../../../src/workflows/definition/parseWorkflow.ts';
import {
  resolvePhaseModel,
  listPhaseProviders,
} from '../../../src/workflows/definition/resolvePhaseModel.ts';

const test = suite('workflows: models of phases');

const llm: Settings['llm'] = {
  defaultProvider: 'command',
  aliases: {
    planning: { provider: 'command', model: 'default' },
    coding: { provider: 'acme', model: 'large', reasoningEffort: 'high' },
  },
};

test('an alias sets provider, model and effort; a pinned provider overrides it (CFG-3)', () => {
  const none = { model: null, reasoningEffort: null };
  assert.equal(resolvePhaseModel(llm, { model: null, provider: null }), {
    provider: 'command',
    ...none,
  });
  assert.equal(resolvePhaseModel(llm, { model: 'planning', provider: null }), {
    provider: 'command',
    ...none,
  });
  assert.equal(resolvePhaseModel(llm, { model: null, provider: 'other' }), {
    provider: 'other',
    ...none,
  });
  const large = { model: 'large', reasoningEffort: 'high' };
  assert.equal(resolvePhaseModel(llm, { model: 'coding', provider: null }), {
    provider: 'acme',
    ...large,
  });
  assert.equal(resolvePhaseModel(llm, { model: 'coding', provider: 'other' }), {
    provider: 'other',
    ...large,
  });
  assert.equal(resolvePhaseModel(llm, { model: 'constructor', provider: null }), {
    provider: 'command',
    ...none,
  });
});

const workflow = (phase: string) =>
  `---\ninitial_phase: p\nphases:\n  - name: p\n    status: s\n${phase}---\n`;
const resolveModel = (phase: string, ids: string[]) =>
  parseWorkflow(workflow(phase), 'w.md', {
    aliases: Object.keys(llm.aliases),
    executors: { ids, llm },
  }).diagnostics.map(({ line, column, code, message, hint }) => [
    `${line}:${column} ${code}`,
    message,
    hint,
  ]);

test('an executor that is not installed is a finding where it was chosen: phase, alias, default (CFG-3)', () => {
  assert.equal(resolveModel('    agent: agents/a.md\n    provider: comand\n', ['command']), [
    ['7:15 unknown-provider', 'The executor comand is not installed.', 'Did you mean command?'],
  ]);
  assert.equal(resolveModel('    agent: agents/a.md\n    model: coding\n', ['command']), [
    [
      '7:12 unknown-provider',
      'The executor acme, which the model alias coding names, is not installed.',
      'Install it (svc plugin install), or fix llm in config.json. Known: command.',
    ],
  ]);
  assert.equal(resolveModel('    agent: agents/a.md\n', ['acme']), [
    [
      '6:12 unknown-provider',
      'The executor command, which llm.defaultProvider names, is not installed.',
      'Install it (svc plugin install), or fix llm in config.json. Known: acme.',
    ],
  ]);
});

test('the part after the colon is checked where the executor says what it knows (CFG-3)', () => {
  const known = ['command', ...listPhaseProviders({ id: 'acp', variants: ['opencode', 'gemini'] })];
  const resolvePinned = (provider: string) =>
    resolveModel(`    agent: agents/a.md\n    provider: ${provider}\n`, known).map(
      ([, ...problems]) => problems,
    );
  assert.equal(['acp', 'acp:gemini', 'command:anything'].flatMap(resolvePinned), []);
  assert.equal(resolvePinned('acp:gemni'), [
    ['The executor acp has no agent gemni.', 'Did you mean acp:gemini?'],
  ]);
  assert.equal(resolvePinned('acp:cursor'), [
    ['The executor acp has no agent cursor.', 'Known: command, acp, acp:opencode, acp:gemini.'],
  ]);
  const aliased = { ...llm, aliases: { coding: { provider: 'acp:', model: 'default' } } };
  const { diagnostics } = parseWorkflow(
    workflow('    agent: agents/a.md\n    model: coding\n'),
    'w.md',
    {
      executors: { ids: known, llm: aliased },
    },
  );
  assert.equal(
    diagnostics.map(({ message, hint }) => [message, hint]),
    [
      [
        'The executor acp has no agent without a name, which the model alias coding names.',
        'Fix llm in config.json. Did you mean acp?',
      ],
    ],
  );
});

test('a model of a program that is not configured is one finding, and it is not to configure it', () => {
  const { diagnostics } = parseWorkflow(
    workflow('    agent: agents/a.md\n    model: codng\n'),
    'w.md',
    {
      aliases: Object.keys(llm.aliases),
      executors: { ids: ['command', 'acme'], llm },
      agentCommand: () => ['node', 'x.mjs'],
    },
  );
  assert.equal(
    diagnostics.map(({ code, hint }) => [code, hint]),
    [['model-without-effect', 'Remove model from the phase.']],
  );
});

test('a pinned provider outranks an alias that cannot run; an unknown alias is one finding; no agent needs no executor', () => {
  assert.equal(
    resolveModel('    agent: agents/a.md\n    model: coding\n    provider: command\n', ['command']),
    [],
  );
  assert.equal(resolveModel('    agent: agents/a.md\n    model: codng\n', []), [
    ['7:12 unknown-alias', 'The model alias codng is not configured.', 'Did you mean coding?'],
  ]);
  assert.equal(resolveModel('    agent: null\n    interactive_checkpoint: true\n', []), []);
});

test.run();
