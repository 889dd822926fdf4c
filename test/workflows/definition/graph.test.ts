import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createActor, createMachine } from 'xstate';
import { renderMermaidChart } from '../../../src/workflows/definition/graph/renderMermaidChart.ts';
import { renderSvgChart } from '../../../src/workflows/definition/graph/renderSvgChart.ts';
import {
  renderXStateModule,
  toXStateConfig,
} from '../../../ui/chart/picture/renderXStateModule.ts';
import { parseWorkflow } from '../../../src/workflows/definition/parseWorkflow.ts';
import { buildWorkflowMachine } from '../../../src/workflows/definition/buildWorkflowMachine.ts';

const test = suite('graph of a workflow');

const drawChart = (phases: string, texts: Record<string, string> = {}) => {
  const { sketch, meta } = parseWorkflow(
    `---\ninitial_phase: plan\nphases:\n${phases}---\n`,
    'workflows/w.md',
  );
  if (!sketch) throw new Error('there is no phase');
  return buildWorkflowMachine('workflows/w.md', meta, sketch, (path) => texts[path]).definition;
};

const JOB = `  - { name: plan, agent: agents/a.md, status: planning, interactive_checkpoint: true }
  - { name: code, agent: agents/b.md, status: coding }
  - { name: wait, agent: null, status: awaiting-pr-merge }
  - { name: v1.0, agent: agents/c.md, status: releasing }
`;
const TEXTS = { 'agents/c.md': 'When work is missing: `goto_phase { "phase": "code" }`.' };

test('Mermaid: every phase by an id of its own, its description, every way with its condition (UI-4)', () => {
  assert.is(
    renderMermaidChart(drawChart(JOB, TEXTS)),
    `stateDiagram-v2
  direction TB
  state "plan" as s0
  s0 : agents/a.md · status planning
  state "code" as s1
  s1 : agents/b.md · status coding
  state "wait" as s2
  s2 : no agent · status awaiting-pr-merge
  state "v1.0" as s3
  s3 : agents/c.md · status releasing
  [*] --> s0
  s0 --> s1 : developer (approves)
  s0 --> s0 : developer (rejects), message
  s1 --> s2 : turn ends
  s2 --> s3 : pull request (merged)
  s2 --> s1 : pull request (news), message
  s3 --> [*] : turn ends (all done)
  s3 --> s3 : turn ends (work is open)
  s3 --> s1 : goto_phase
`,
  );
});

const EVIL = `  - { name: plan, agent: 'agents/"; click s0 "x".md', status: s, model: "<script>alert(1)</script>" }\n`;

test('texts of a file can neither end a line of Mermaid nor an element of the drawing', () => {
  const chart = drawChart(EVIL);
  const line = renderMermaidChart(chart).split('\n')[3];
  assert.is(
    line,
    '  s0 : agents/#34;#59; click s0 #34;x#34;.md · model #60;script#62;alert(1)#60;/script#62; · status s',
  );
  assert.not.match(renderSvgChart(chart, '</title><script>x'), /<script|<\/title><s/);
});

test('SVG: a document with a title, every phase and every label once, nothing that runs or is loaded', () => {
  const svg = renderSvgChart(drawChart(JOB, TEXTS), 'A job');
  const texts = [...svg.matchAll(/<text class="([^"]+)"[^>]*>([^<]*)<\/text>/g)].map(
    ([, kind, text]) => `${kind}: ${text}`,
  );
  assert.equal(texts.sort(), [
    'about: agents/a.md · status planning',
    'about: agents/b.md · status coding',
    'about: agents/c.md · status releasing',
    'about: complete',
    'about: no agent · status awaiting-pr-merge',
    'label back: developer (rejects), message',
    'label back: goto_phase',
    'label back: pull request (news), message',
    'label back: turn ends (work is open)',
    'label: developer (approves)',
    'label: pull request (merged)',
    'label: turn ends',
    'label: turn ends (all done)',
    'name: code',
    'name: plan ✓',
    'name: v1.0',
    'name: wait',
  ]);
  assert.match(
    svg,
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="\d+" viewBox="0 0 \d+ \d+" role="img">\n<title>A job<\/title>/,
  );
  assert.not.match(svg, /<script|href|url\(|foreignObject|NaN/);
});

/** What guards are given: the truth about each, and which phase goto_phase names. */
const guards = (
  truth: Record<string, boolean>,
): Record<string, (args: { event: unknown }, params: unknown) => boolean> => ({
  ...Object.fromEntries(
    ['approved', 'rejected', 'merged', 'news', 'gatePasses', 'gateBlocks'].map((name) => [
      name,
      () => truth[name] === true,
    ]),
  ),
  goesTo: ({ event }, params) =>
    Reflect.get(Object(event), 'phase') === Reflect.get(Object(params), 'phase'),
});

test('XState: createMachine takes it, and it can be run to its end', () => {
  const config = toXStateConfig('w', drawChart(JOB, TEXTS));
  const truth: Record<string, boolean> = {};
  const walked: string[] = [];
  const machine = createMachine(config).provide({
    guards: guards(truth),
    actions: { 'session.open': () => {} },
  });
  const actor = createActor(machine);
  actor.subscribe(({ value }) => walked.push(String(value)));
  actor.start();
  const send = (now: Record<string, boolean>, event: { type: string; phase?: string }) => {
    Object.assign(
      truth,
      {
        approved: false,
        rejected: false,
        merged: false,
        news: false,
        gatePasses: false,
        gateBlocks: false,
      },
      now,
    );
    actor.send(event);
  };
  send({ rejected: true }, { type: 'job.resume' });
  send({ approved: true }, { type: 'job.resume' });
  send({}, { type: 'session.ended' });
  send({ news: true }, { type: 'forge.event' });
  send({}, { type: 'session.ended' });
  send({ merged: true }, { type: 'forge.event' });
  send({}, { type: 'tool.goto_phase', phase: 'plan' });
  send({}, { type: 'tool.goto_phase', phase: 'code' });
  send({}, { type: 'session.ended' });
  send({ merged: true }, { type: 'forge.event' });
  send({ gateBlocks: true }, { type: 'session.ended' });
  send({ gatePasses: true }, { type: 'session.ended' });
  assert.equal(walked, [
    'plan',
    'plan',
    'code',
    'wait',
    'code',
    'wait',
    'v1.0',
    'v1.0',
    'code',
    'wait',
    'v1.0',
    'v1.0',
    '(complete)',
  ]);
  assert.is(actor.getSnapshot().status, 'done');
});

test('XState: the module holds the same config, and names the guards to provide', () => {
  const chart = drawChart(JOB, TEXTS);
  const module = renderXStateModule('w', chart);
  const config = module.slice(
    module.indexOf('createMachine({') + 'createMachine('.length,
    module.lastIndexOf(')'),
  );
  assert.equal(JSON.parse(config), JSON.parse(JSON.stringify(toXStateConfig('w', chart))));
  assert.match(
    module,
    '// Guards to provide: "approved", "rejected", "merged", "news", "gatePasses", "gateBlocks", "goesTo".',
  );
  assert.match(module, /^import \{ createMachine \} from 'xstate';/);
});

test.run();
