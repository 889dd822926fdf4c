import { builtinSubject } from '../../support/agents/executorContract/builtinSubject.ts';
import { tryContract } from '../../support/agents/executorContract/contract.ts';

// What ends a session is the same on both wires, and tried on the other.
tryContract(builtinSubject('openai'), { limits: false });
