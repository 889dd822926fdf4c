import { builtinSubject } from '../../support/agents/executorContract/builtinSubject.ts';
import { tryContract } from '../../support/agents/executorContract/contract.ts';

tryContract(builtinSubject('anthropic'));
