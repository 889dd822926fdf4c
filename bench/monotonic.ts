/** Milliseconds of a clock that all processes of this machine share and that never goes back. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;
