import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createUnknownProviderExplainer } from '../../../../src/executors/tools/catalogue/createUnknownProviderExplainer.ts';

const test = suite('names of tools of forges and trackers that are not installed');

const unknown = createUnknownProviderExplainer(['minihub', 'my-tick']);

test('a tool of a forge that is neither part of svc nor installed is reported, with the near one', () => {
  assert.equal(unknown('githb_create_pr'), {
    message: 'No forge githb is installed, so githb_create_pr is not offered.',
    hint: "Did you mean github_create_pr? scm_create_pr is that of the job's own forge.",
  });
  assert.equal(unknown('mcp__svc__minihb_merge_pr'), {
    message: 'No forge minihb is installed, so minihb_merge_pr is not offered.',
    hint: "Did you mean minihub_merge_pr? scm_merge_pr is that of the job's own forge.",
  });
});

test('the same for a tracker', () => {
  assert.equal(unknown('jra_get_issue'), {
    message: 'No tracker jra is installed, so jra_get_issue is not offered.',
    hint: "Did you mean jira_get_issue? tracker_get_issue is that of the job's own tracker.",
  });
});

test('tools of svc, of what is installed and of other servers are not reported', () => {
  for (const name of [
    'gitlab_create_pr',
    'minihub_create_pr',
    'my_tick_get_issue',
    'github_issues_post_comment',
    'scm_create_pr',
    'scm_merge_pr',
    'tracker_get_issue',
    'mcp__docs__get_issue',
    'add_insight',
    'read',
  ])
    assert.is(unknown(name), null, name);
});

test.run();
