// The chart needs no script.
import '../vehicles/year-chart.css'
