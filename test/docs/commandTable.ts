/**
 * Commands of the documents that another test or step runs: how they begin, and the file that runs
 * them. Every other command in a block without a marker is run by commands.test.ts.
 */
export const RUN_ELSEWHERE: readonly (readonly [command: string, by: string])[] = [
  ['alias svc=', 'cli/bin/svc'],
  ['npm ci', '.ci/run'],
  ['npm test', '.ci/run'],
  ['npm run build', '.ci/run'],
  ['npm run check', '.ci/run'],
  ['npm run demo', 'test/stories/demo.test.ts'],
];

/**
 * Commands of svc that change something or need something outside, and the test that runs them. In
 * a page that starts a runner of its own they are run all the same.
 */
export const RUN_BY_COMMAND_TESTS: readonly (readonly [command: string, by: string])[] = [
  ['svc campaign cancel', 'test/cli/campaign.test.ts'],
  ['svc campaign list', 'test/cli/campaign.test.ts'],
  ['svc campaign rerun', 'test/cli/campaign.test.ts'],
  ['svc campaign show', 'test/cli/campaign.test.ts'],
  ['svc campaign skip', 'test/cli/campaign.test.ts'],
  ['svc campaign unskip', 'test/cli/campaign.test.ts'],
  ['svc campaign start', 'test/cli/campaignStart.test.ts'],
  ['svc cancel', 'test/cli/commands.test.ts'],
  ['svc config set', 'test/cli/config.test.ts'],
  ['svc budget', 'test/cli/budget.test.ts'],
  ['svc budget raise', 'test/cli/budget.test.ts'],
  ['svc cost', 'test/cli/cost.test.ts'],
  ['svc guardrail allow', 'test/cli/guardrail.test.ts'],
  ['svc guardrail test', 'test/cli/guardrail.test.ts'],
  ['svc decisions', 'test/cli/decisions.test.ts'],
  ['svc decisions label', 'test/cli/decisions.test.ts'],
  ['svc decisions replay', 'test/cli/decisions.test.ts'],
  ['svc decisions show', 'test/cli/decisions.test.ts'],
  ['svc decisions track-record', 'test/cli/decisions.test.ts'],
  ['svc init', 'test/cli/init.test.ts'],
  ['svc run', 'test/cli/run/request.test.ts'],
  ['svc runner status', 'test/cli/runner.test.ts'],
  ['svc runner stop', 'test/cli/runner.test.ts'],
  ['svc job', 'test/cli/follow.test.ts'],
  ['svc logs', 'test/cli/follow.test.ts'],
  ['svc message', 'test/cli/commands.test.ts'],
  ['svc open', 'test/cli/open.test.ts'],
  ['svc pause', 'test/cli/exitCodes.test.ts'],
  ['svc plugin auth', 'test/cli/plugins.test.ts'],
  ['svc plugin healthcheck', 'test/cli/plugins.test.ts'],
  ['svc plugin init', 'test/cli/plugins.test.ts'],
  ['svc plugin install', 'test/cli/plugins.test.ts'],
  ['svc plugin models', 'test/cli/plugins.test.ts'],
  ['svc plugin test', 'test/cli/plugins.test.ts'],
  ['svc plugin uninstall', 'test/cli/plugins.test.ts'],
  ['svc pr approve', 'test/cli/pullRequests.test.ts'],
  ['svc pr comment', 'test/cli/pullRequests.test.ts'],
  ['svc pr diff', 'test/cli/pullRequests.test.ts'],
  ['svc pr merge', 'test/cli/pullRequests.test.ts'],
  ['svc pr review', 'test/cli/jobPullRequests.test.ts'],
  ['svc pr show', 'test/cli/pullRequests.test.ts'],
  ['svc rerun', 'test/cli/commands.test.ts'],
  ['svc resume', 'test/cli/follow.test.ts'],
  ['svc trust add', 'test/cli/trust.test.ts'],
  ['svc trust remove', 'test/cli/trust.test.ts'],
  ['svc trust show', 'test/cli/trust.test.ts'],
];
