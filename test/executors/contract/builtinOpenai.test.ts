import { builtinSubject } from '../../support/executorContract/builtinSubject.ts';
import { tryContract } from '../../support/executorContract/contract.ts';

tryContract(builtinSubject('openai'));
