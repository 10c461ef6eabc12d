const widths = ['w-72', 'w-52', 'w-80', 'w-64', 'w-48', 'w-72', 'w-56', 'w-64']

/** Placeholder rows, shown until the first data arrives. */
export const ListSkeleton = () => (
  <div role="status" aria-label="Loading" className="flex flex-col px-4 pt-3">
    {widths.map((width, index) => (
      <div key={index} className="flex h-9 items-center gap-3 border-b">
        <span className="size-4 rounded-full bg-sunken" />
        <span className={`h-2.5 rounded-full bg-sunken ${width}`} />
      </div>
    ))}
  </div>
)
