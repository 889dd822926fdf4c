// Evaluation: closes the work item when the tests pass on the base branch, else sends it back to
// coding.
import { runTests, tool } from './svc.mjs';

const { items } = tool('get_work_items');
const current = items.find(({ status }) => status === 'in-progress');
if (current) {
  if (runTests().passed) {
    tool('update_work_item', { id: current.id, status: 'complete' });
    console.log(`${current.id} is complete`);
  } else {
    tool('goto_phase', { phase: 'coding', reason: 'tests fail on main' });
    process.exit(0);
  }
}
if (items.some(({ status }) => status === 'pending'))
  tool('goto_phase', { phase: 'coding', reason: 'the next work item' });
