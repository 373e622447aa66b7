/*
 * Runs in the browser on the page of the documentation: starts Swagger UI, and makes what it draws usable by keyboards and
 * screen readers where it is not.
 */

function accessible({ React }) {
  const element = React.createElement

  /** Long code scrolls, for keyboards too. */
  const reachable = Original =>
    function Reachable(props) {
      const around = React.useRef(null)
      React.useEffect(() => {
        for (const code of around.current.querySelectorAll('pre')) code.tabIndex = 0
      })
      return element('div', { ref: around }, element(Original, props))
    }

  /** The field of a parameter has its name. */
  const labelled = Original =>
    function Labelled(props) {
      const field = element(Original, props)
      if (!props.description) return field
      return element('label', null, element('span', { className: 'unseen' }, props.description), field)
    }

  const PathText = ({ text }) => element('span', null, text)

  /** The path of an operation is in a button, where no link may be. */
  const withoutLink = Original =>
    function PathWithoutLink(props) {
      const getComponent = (name, ...more) =>
        name === 'DeepLink' ? PathText : props.getComponent(name, ...more)
      return element(Original, { ...props, getComponent })
    }

  /** Between the title and the datasets a level of headings is missing. */
  const headed = Original =>
    function Headed(props) {
      const heading = element('h2', { className: 'unseen' }, 'Endpoints')
      return element(React.Fragment, null, heading, element(Original, props))
    }

  /** The title is drawn within a section, where an element "header" would mean nothing. */
  const banner = Original =>
    function Banner(props) {
      return element('div', { role: 'banner' }, element(Original, props))
    }

  return {
    wrapComponents: {
      HighlightCode: reachable,
      RequestSnippets: reachable,
      curl: reachable,
      JsonSchema_string: labelled,
      JsonSchema_boolean: labelled,
      JsonSchema_array: labelled,
      OperationSummaryPath: withoutLink,
      InfoContainer: banner,
      operations: headed,
    },
  }
}

/** Whatever address the service has for others, the reader has reached it here, and the page may send requests nowhere else. */
function askHere(request) {
  const { pathname, search } = new URL(request.url, location.href)
  return Object.assign(request, { url: location.origin + pathname + search })
}

const { SwaggerUIBundle, SwaggerUIStandalonePreset } = window

SwaggerUIBundle({
  url: '/docs/json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  syntaxHighlight: { theme: 'obsidian' },
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl, accessible],
  layout: 'StandaloneLayout',
  requestInterceptor: askHere,
  validatorUrl: null,
})
