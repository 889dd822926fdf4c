import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { jobChart, steeringMachine, subRunsChart } from '../../machines/index.ts';

const test = suite('documents: state pictures');

const CONCEPTS = join(import.meta.dirname, '../../docs/concepts');
const CHARTS: Readonly<Record<string, AnyStateMachine>> = {
  job: jobChart.machine,
  subRuns: subRunsChart.machine,
  steering: steeringMachine(),
};

/**
 * A state picture of a page, with the chart that its line `%% chart:` or `%% complete chart:`
 * names.
 */
interface Picture {
  page: string;
  chart: string;
  /** Whether it shows every transition between its states. */
  complete: boolean;
  arrows: readonly (readonly [from: string, to: string])[];
}

/** `state "what is shown" as name` gives a state another text; the arrows use its name. */
const parseArrows = (text: string) =>
  [...text.matchAll(/^\s*(\w+) --> (\w+)(?=:|\s*$)/gm)].map(
    ([, from = '', to = '']) => [from, to] as const,
  );

const pictures: readonly Picture[] = readdirSync(CONCEPTS).flatMap((page) =>
  [...readFileSync(join(CONCEPTS, page), 'utf8').matchAll(/```mermaid\n([\s\S]*?)```/g)].flatMap(
    ([, text = '']) => {
      const [, complete, chart] = /%% (complete )?chart: (\w+)/.exec(text) ?? [];
      return chart === undefined
        ? []
        : [{ page, chart, complete: complete !== undefined, arrows: parseArrows(text) }];
    },
  ),
);

const listNodes = (node: AnyStateNode): AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(listNodes),
];

/** The state and everything that it is in, by name. */
const around = (node: AnyStateNode): string[] => [
  node.key,
  ...(node.parent ? around(node.parent) : []),
];

/**
 * Every pair of states that a transition of the chart leads between, states around them included.
 */
function collectArrows(machine: AnyStateMachine): Set<string> {
  const ways = listNodes(machine.root).flatMap((node) =>
    [...node.transitions.values(), node.always ?? []]
      .flat()
      .flatMap(({ target = [] }) =>
        target.flatMap((to) =>
          around(node).flatMap((from) => around(to).map((name) => `${from} --> ${name}`)),
        ),
      ),
  );
  return new Set(ways);
}

test('pictures of every chart that the concepts explain are found', () => {
  assert.equal([...new Set(pictures.map(({ chart }) => chart))].sort(), [
    'job',
    'steering',
    'subRuns',
  ]);
});

for (const { page, chart, complete, arrows } of pictures) {
  const machine = CHARTS[chart];
  assert.ok(machine, `${page}: there is no chart ${chart}`);
  const ways = collectArrows(machine);
  const drawn = new Set(arrows.map(([from, to]) => `${from} --> ${to}`));

  test(`every arrow in the picture of ${chart} in ${page} is a transition of the chart`, () => {
    assert.ok(drawn.size > 3, `only ${drawn.size} arrows found`);
    assert.equal(
      [...drawn].filter((arrow) => !ways.has(arrow)),
      [],
    );
  });

  if (!complete) continue;
  test(`the picture of ${chart} in ${page} shows every transition between its states`, () => {
    const names = [...new Set(arrows.flat())];
    const possible = names.flatMap((from) =>
      names.filter((to) => to !== from).map((to) => `${from} --> ${to}`),
    );
    assert.equal(
      possible.filter((arrow) => ways.has(arrow) && !drawn.has(arrow)),
      [],
    );
  });
}

test.run();
