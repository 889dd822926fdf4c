/** Reads committed rows. The forge never writes: it answers rows, and whoever called commits them. */
export interface RowSource {
  all<T>(
    table: string,
    where: Record<string, string | number | boolean | null>,
    options?: { order?: string; desc?: boolean; limit?: number; offset?: number },
  ): T[];
  one<T>(table: string, where: Record<string, string | number | boolean | null>): T | undefined;
  count(table: string, where: Record<string, string | number | boolean | null>): number;
}
