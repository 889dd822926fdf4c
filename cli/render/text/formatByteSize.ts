const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** 1.5 MiB, as a person reads it. */
export function formatByteSize(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const amount = bytes / 1024 ** unit;
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[unit]}`;
}
