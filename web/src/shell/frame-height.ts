import '../styles/frame.css'

/** Tells the site around the frame how high the page is; `public/embed.js` there gives the frame this height. */
function tellHeight(): void {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
  parent.postMessage({ type: 'public-data-embed-height', height }, '*')
}

// Without a frame, the page would send its messages to itself.
if (parent !== window) {
  new ResizeObserver(tellHeight).observe(document.documentElement)
  // The script of the site asks, because it may have come later than the first message.
  addEventListener('message', ({ source }) => source === parent && tellHeight())
}
