/** The product's logo: the house with the two goods in it. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path d="M3 13.6 16 3.4l13 10.2V28.5H3z" fill="none" stroke="#8fd3d3" strokeWidth="2.6" strokeLinejoin="round" />
      <circle cx="10.9" cy="21.6" r="4.3" fill="#6fb0f7" />
      <rect x="17.2" y="17.3" width="8.3" height="8.6" rx="1.1" fill="#ffd24a" />
    </svg>
  );
}
