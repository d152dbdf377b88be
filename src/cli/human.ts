/** Sizes and times as people read them. */

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const

/** `0 B`, `9.8 KiB`, `120 MiB`: three digits at most, one of them behind the point. */
export function humanBytes(bytes: number): string {
  const { number, step } = scaled(bytes)
  return `${number} ${UNITS[step] ?? 'EiB'}`
}

/** `512`, `9.8K`, `120M`, as `ls -h` has it. */
export function shortBytes(bytes: number): string {
  const { number, step } = scaled(bytes)
  return `${number}${step === 0 ? '' : (UNITS[step]?.charAt(0) ?? 'E')}`
}

function scaled(bytes: number): { number: string; step: number } {
  let value = bytes
  let step = 0
  // 1023.96 would be shown as 1024.0.
  while (value >= 999.5 && step < UNITS.length - 1) {
    value /= 1024
    step++
  }
  return { number: step === 0 || value >= 9.95 ? value.toFixed(0) : value.toFixed(1), step }
}

/** `0.4 s`, `12 s`, `3:07`, `1:02:45`, `4 days`. */
export function humanSeconds(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const two = (number: number): string => String(number).padStart(2, '0')
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`
  const hours = Math.floor(minutes / 60)
  return hours < 100 ? `${hours}:${two(minutes % 60)}:${two(whole % 60)}` : `${Math.round(hours / 24)} days`
}
