// Planning of a campaign: registers five sub-runs, shows a plan for approval and hands them over.
import { SUB_RUNS } from './graph.mjs';
import { contractsDir, publish, tool } from './svc.mjs';

for (const spec of SUB_RUNS) tool('register_sub_run', spec);
if (contractsDir() !== null) {
  publish('_index.json', {
    contracts: [
      {
        id: 'words-api',
        kind: 'function',
        producer_hint: 'words',
        consumer_hints: ['count', 'longest'],
        shape: 'words(text: string): Iterator<string>',
        compatibility: 'additive changes only',
        ownership: 'words',
      },
    ],
  });
}
tool('post_artifact', {
  kind: 'plan-md',
  title: 'Plan',
  content: `# Plan

| sub-run | after | what |
|---|---|---|
${SUB_RUNS.map(({ name, dependsOn, description }) => `| ${name} | ${dependsOn?.join(', ') ?? '-'} | ${description} |`).join('\n')}
`,
});
const { subRuns, criticalPath } = tool('finalize_sub_runs');
console.log(`${subRuns.length} sub-runs; the longest chain is ${criticalPath.join(' → ')}`);
