import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listFences, markdownFiles } from '../../scripts/docs/markdownFiles.ts';
import { Config } from '../../src/host/config/configSchema.ts';
import { readConfigFileText } from '../../src/host/config/file/readConfig.ts';
import { parseScript } from '../../src/workflows/simulation/parseScript.ts';
import { parseCampaign } from '../../src/workflows/definition/parseCampaign.ts';
import { parseWorkflow } from '../../src/workflows/definition/parseWorkflow.ts';

const test = suite('documents: examples');

const SECTIONS = Object.keys(Config.properties);

interface Example {
  /** File and line of the block. */
  place: string;
  text: string;
}

const examples = (languages: readonly string[], holds: (text: string) => boolean): Example[] =>
  markdownFiles()
    .filter((file) => !file.startsWith('docs/reference/'))
    .flatMap((file) =>
      listFences(readFileSync(file, 'utf8'))
        .filter(({ language, text }) => languages.includes(language) && holds(text))
        .map(({ line, text }) => ({ place: `${file}:${line}`, text })),
    );

const isConfig = (text: string): boolean =>
  Object.keys(JSON.parse(text)).every((key) => SECTIONS.includes(key));

test('every configuration in the documents is valid', () => {
  const configs = examples(['json'], isConfig);
  assert.ok(configs.length > 8, `only ${configs.length} configurations found`);
  for (const { place, text } of configs)
    assert.not.throws(() => readConfigFileText(place, text, '127.0.0.1'), undefined, place);
});

test('every workflow in the documents is valid', () => {
  const workflows = examples(['md', 'markdown'], (text) => /^phases:/m.test(text));
  assert.ok(workflows.length > 0);
  for (const { place, text } of workflows) {
    const errors = parseWorkflow(text, place).diagnostics.filter(
      ({ severity }) => severity === 'error',
    );
    assert.equal(errors, []);
  }
});

test('every campaign in the documents is valid', () => {
  const campaigns = examples(['md', 'markdown'], (text) => /^sub-runs:/m.test(text));
  assert.ok(campaigns.length > 0);
  for (const { place, text } of campaigns) assert.equal(parseCampaign(text, place).diagnostics, []);
});

test('every script of a simulation in the documents is valid', () => {
  const scripts = examples(['yaml'], (text) => text.startsWith('- '));
  assert.ok(scripts.length > 0);
  for (const { place, text } of scripts)
    assert.not.throws(() => parseScript(text, place), undefined, place);
});

test.run();
