/*
 * Gives the frames of this service on your page the height of what they show. Load it from the service:
 * <script async src="…/embed.js"></script>
 */
{
  const { origin } = new URL(document.currentScript.src)
  const frames = () => [...document.getElementsByTagName('iframe')]
  addEventListener('message', ({ origin: sender, source, data }) => {
    if (sender !== origin || data?.type !== 'public-data-embed-height') return
    const { height } = data
    if (!Number.isFinite(height) || height < 40 || height > 10_000) return
    for (const frame of frames()) if (frame.contentWindow === source) frame.style.height = `${height}px`
  })
  // Frames that came before this script have told their height already: ask them again.
  for (const { src, contentWindow } of frames())
    if (src.startsWith(`${origin}/`)) contentWindow?.postMessage({ type: 'public-data-embed-ask' }, '*')
}
