import type * as chart from '../../kernel/chart.ts';
import type * as contract from '../../kernel/contract.ts';
import type * as kernelHandle from '../../kernel/kernelHandle.ts';
import type * as rowChange from '../../kernel/rowChange.ts';
import type { Tables } from './tables.ts';

type Name = rowChange.TableName<Tables>;

// What the kernel is given, with the tables of svc: a wrong table or column does not compile.

/** A change of a row of one of these tables; default: of any that a feature owns. */
export type RowChange<Of extends Name = Name> = rowChange.RowChange<Pick<Tables, Of>>;
/** One that inserts the row, or replaces columns of it. */
export type RowPut<Of extends Name = Name> = Extract<RowChange<Of>, { op: 'put' }>;

export type IntrinsicParams = chart.IntrinsicParams<Tables>;
export type Submission = contract.Submission<Tables>;
export type Kernel = contract.Kernel<Tables>;
export type KernelUse = kernelHandle.KernelUse<Tables>;
