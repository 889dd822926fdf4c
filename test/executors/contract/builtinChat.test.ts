import { suite } from 'uvu';
import { builtinSubject } from '../../support/agents/executorContract/builtinSubject.ts';
import { chatCases } from '../../support/agents/executorContract/chat.ts';

const subject = builtinSubject('anthropic');
const test = suite(`executor contract, chats of ${subject.name}`);

chatCases(test, {
  name: subject.name,
  provider: 'builtin',
  model: subject.model,
  open: (modelUrl) => subject.open(modelUrl),
});

test.run();
