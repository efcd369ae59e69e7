// A choice of a few, side by side: a group of radio buttons.

interface SegmentProps<T extends string> {
  readonly name: string;
  readonly options: readonly (readonly [T, string])[];
  readonly chosen: T;
  readonly busy: boolean;
  readonly onChange: (value: T) => void;
}

/** It stays enabled while `busy`: a disabled control would lose the focus. The group around it has its name. */
export function Segment<T extends string>({ name, options, chosen, busy, onChange }: SegmentProps<T>) {
  return (
    <div className="segment" aria-busy={busy || undefined}>
      {options.map(([value, label]) => (
        <label key={value}>
          <input type="radio" name={name} value={value} checked={value === chosen} onChange={() => onChange(value)} />
          <span>{label}</span>
        </label>
      ))}
    </div>
  );
}
