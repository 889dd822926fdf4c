// Testing: runs the tests of the repository on the merged base branch.
import { onBase, runTests, tool } from './svc.mjs';

onBase();
const { passed, failed } = runTests();
console.log(
  passed
    ? 'all tests pass on main'
    : `${failed.length} ${failed.length === 1 ? 'test fails' : 'tests fail'} on main: ${failed.join('; ')}`,
);
tool('add_insight', {
  category: 'testing',
  text: passed
    ? 'The tests run with `node --test` and pass on main.'
    : `Failing on main: ${failed.join('; ')}`,
});
