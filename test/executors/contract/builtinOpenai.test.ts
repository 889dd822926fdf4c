import { builtinSubject } from './builtinSubject.ts';
import { tryContract } from './contract.ts';

tryContract(builtinSubject('openai'));
