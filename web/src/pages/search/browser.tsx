import '../../places/places.css'
import './search.css'
