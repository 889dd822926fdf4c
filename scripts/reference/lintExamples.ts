import { readdirSync, readFileSync } from 'node:fs';
import { lintPaths } from '../../src/workflows/overlay/lintPaths.ts';
import type { LintContext } from '../../src/workflows/overlay/readDraft.ts';
import { acpPlugin } from '../../src/plugins/builtIn/acp.ts';
import type { Diagnostic } from '../../src/contract/schema/workflow/diagnostic.ts';
import { createUnknownToolExplainer } from '../../src/executors/tools/catalogue/toolAllowlist.ts';
import { createUnknownProviderExplainer } from '../../src/executors/tools/catalogue/createUnknownProviderExplainer.ts';
import { parseCampaign } from '../../src/workflows/definition/parseCampaign.ts';
import { listPhaseProviders } from '../../src/workflows/definition/resolvePhaseModel.ts';

/** Broken workflows and agents, each named after the code that it shows. */
const CORPUS = 'test/workflows/definition/corpus/broken';
/** Folders whose files are at fault together, each named after the code that it shows. */
const FOLDERS = 'test/workflows/definition/corpus/folders';
const BASE_LAYER = 'intelligence';
/** Lines of a file that an example shows, the one with the finding last. */
const SHOWN_LINES = 4;

export interface LintExample {
  excerpt: string;
  line: number;
  column: number;
  message: string;
  hint: string;
}

const command = { provider: 'command', model: 'default' };
const LLM = {
  defaultProvider: 'command',
  aliases: { planning: command, coding: command, remote: { provider: 'acme', model: 'default' } },
};

const lint = (file: string, more: Partial<LintContext> = {}): Promise<Diagnostic[]> =>
  lintPaths([file], {
    baseIntelligence: BASE_LAYER,
    aliases: Object.keys(LLM.aliases),
    executors: { ids: ['command', ...listPhaseProviders(acpPlugin.manifest)], llm: LLM },
    unknownTool: createUnknownToolExplainer(['local']),
    ...(file.includes('of-a-repository') ? { layer: 'repo' as const } : {}),
    ...more,
  });

/** A home with one tool server, without a person, with no program but node and no plugin. */
const HOME: Partial<LintContext> = {
  servers: ['browser'],
  interactive: false,
  caps: { job: { usd: 10 } },
  unknownProvider: createUnknownProviderExplainer([]),
  lacksProgram: (word) => (word === 'node' ? null : `the program ${word} is in no folder of PATH`),
};

const WORKFLOW = `---
initial_phase: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding }
---
`;

/** What only a large file shows, or a home whose agents cannot run: the excerpt describes the file. */
async function loadExamples(): Promise<[string, LintExample][]> {
  const noProgram = { ids: ['command'], llm: LLM, lacks: () => 'the agent names no program' };
  const cases: readonly (readonly [code: string, text: string, excerpt: string])[] = [
    ['file-too-large', `${WORKFLOW}${'x'.repeat(300_000)}`, '# The first line of 293 KiB'],
    [
      'front-matter-too-large',
      `---\nlabel: ${'x'.repeat(70_000)}\n---\n`,
      '# The first line of 68 KiB of front matter',
    ],
    ['agent-without-executor', WORKFLOW, WORKFLOW.split('\n').slice(0, 4).join('\n')],
  ];
  return await Promise.all(
    cases.map(async ([code, text, excerpt]): Promise<[string, LintExample]> => {
      const diagnostic = (await lint('-', { stdin: text, executors: noProgram })).find(
        (one) => one.code === code,
      );
      if (!diagnostic) throw new Error(`The example of ${code} does not show it.`);
      return [code, { ...toLintExample(text, diagnostic), excerpt }];
    }),
  );
}

const campaign = (...subRuns: readonly string[]): string =>
  `---\nrepo: shop\nsub-runs:\n${subRuns.map((one) => `  - { ${one} }\n`).join('')}---\nMove the cart.\n`;

const CAMPAIGNS: readonly string[] = [
  campaign('name: api, dependsOn: [web]', 'name: web, dependsOn: [api]'),
  campaign('name: api', 'name: api'),
  campaign('name: web, dependsOn: [apo]', 'name: api'),
  campaign('name: api').replace('Move the cart.\n', ''),
];

function cutExcerpt(text: string, line: number): string {
  const lines = text.split(/\r?\n/).slice(Math.max(0, line - SHOWN_LINES), line);
  return lines.join('\n');
}

const toLintExample = (text: string, { line, column, message, hint }: Diagnostic): LintExample => ({
  excerpt: cutExcerpt(text, line),
  line,
  column,
  message,
  hint,
});

/**
 * An example for each code that a short file can show; what the linter says is what it says now.
 */
export async function lintExamples(): Promise<ReadonlyMap<string, LintExample>> {
  const examples = new Map<string, LintExample>();
  const files = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  for (const file of files) {
    const name = file.replace(/^.*\//, '').replace(/(--.*)?\.md$/, '');
    if (examples.has(name)) continue;
    const diagnostic = (await lint(`${CORPUS}/${file}`)).find(({ code }) => code === name);
    if (diagnostic)
      examples.set(name, toLintExample(readFileSync(`${CORPUS}/${file}`, 'utf8'), diagnostic));
  }
  for (const folder of readdirSync(FOLDERS)) {
    const [code = ''] = folder.split('--');
    if (examples.has(code)) continue;
    const folderDiagnostic = (await lint(`${FOLDERS}/${folder}`, HOME)).find(
      (one) => one.code === code,
    );
    if (folderDiagnostic)
      examples.set(
        code,
        toLintExample(readFileSync(folderDiagnostic.file, 'utf8'), folderDiagnostic),
      );
  }
  for (const [code, example] of await loadExamples()) examples.set(code, example);
  for (const text of CAMPAIGNS) {
    for (const campaignDiagnostic of parseCampaign(text, 'campaign.md').diagnostics)
      if (!examples.has(campaignDiagnostic.code))
        examples.set(campaignDiagnostic.code, toLintExample(text, campaignDiagnostic));
  }
  return examples;
}
